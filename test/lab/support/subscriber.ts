import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { createGateway, type Gateway } from '@ces/cli/gateway';
import type { Stack } from '@ces/cli/stack';
import { LedgerAdminService } from '@ces/proto/ces/ledger/v1/ledger_admin_service_pb.ts';

/** More than any benchmark uses. */
const PLENTY = 1_000_000_000n;
/** The professional plan's. */
export const PAGE_LIMIT = 50;
const POLL_MS = 250;

/** A new account whose subscription has numbers that no benchmark reaches, over the public interface. */
export async function subscribe(stack: Stack): Promise<Gateway> {
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
  return createGateway(stack.addressOf('gateway'), token);
}

/** What a benchmark reads of a company search's answer. */
export interface SearchPage {
  readonly companies: readonly {
    readonly id: number;
    readonly match: { readonly observation_ids: readonly number[] };
  }[];
  readonly next_cursor: string | null;
}

/** One page of a company search as a new operation, waiting when it takes longer than a synchronous answer may. */
export async function searchPage(gateway: Gateway, body: unknown): Promise<SearchPage> {
  const call = { method: 'POST', path: '/api/companies/search', body, requestKey: randomUUID() } as const;
  for (;;) {
    const answer = await gateway.call(call);
    if (answer.status === 200) return answer.body as unknown as SearchPage;
    await pause(POLL_MS);
  }
}
