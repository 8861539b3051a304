import type { Stack } from '@ces/cli/stack';
import { CesClient, type CompanyResult, type CompanySearchInput } from '@ces/client';
import { LedgerAdminService } from '@ces/proto/ces/ledger/v1/ledger_admin_service_pb.ts';

const PLENTY = 1_000_000_000n;
export const PAGE_LIMIT = 50;

/** Creates an account that never reaches a limit. Returns a client of the public interface. */
export async function subscribe(stack: Stack): Promise<CesClient> {
  const ledger = stack.client('ledger', LedgerAdminService);
  const { account } = await ledger.createAccount({ name: 'benchmark' });
  const accountId = account?.id ?? 0n;
  await ledger.createSubscription({
    accountId,
    plan: 'professional',
    ownLimits: {
      windowRequestUnits: PLENTY,
      weekRequestUnits: PLENTY,
      periodRequestUnits: PLENTY,
      windowDeliveredUnits: PLENTY,
      weekDeliveredUnits: PLENTY,
      periodDeliveredUnits: PLENTY,
      pageLimit: PAGE_LIMIT,
    },
  });
  const { token } = await ledger.issueCredential({ accountId, label: 'benchmark' });
  return new CesClient({ baseUrl: stack.addressOf('gateway'), apiKey: token });
}

/**
 * Runs one search as a new operation, and waits for its result if it takes longer than a
 * synchronous answer.
 */
export async function searchPage(client: CesClient, search: CompanySearchInput): Promise<CompanyResult> {
  return await client.searchCompanies(search).done();
}
