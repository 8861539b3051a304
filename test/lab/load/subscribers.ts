import { createRpcClient } from '@ces/chassis/rpc/client';
import { LedgerAdminService } from '@ces/proto/ces/ledger/v1/ledger_admin_service_pb.ts';

export interface Account {
  readonly accountId: bigint;
  readonly subscriptionId: bigint;
  readonly tokens: readonly string[];
}

export type OwnLimits = Readonly<Record<string, bigint | number>>;

const MANY = 1_000_000_000n;

/** Limits that nothing reaches. */
export const AMPLE: OwnLimits = {
  ...{ windowRequestUnits: MANY, weekRequestUnits: MANY, periodRequestUnits: MANY },
  ...{ windowDeliveredUnits: MANY, weekDeliveredUnits: MANY, periodDeliveredUnits: MANY },
};

export type LedgerAdmin = ReturnType<typeof createRpcClient<typeof LedgerAdminService>>;

export function ledgerAdmin(url: string, callerToken: string): LedgerAdmin {
  return createRpcClient(LedgerAdminService, { url, callerToken, reason: 'a drill', timeoutMs: 60_000 });
}

export async function createAccount(admin: LedgerAdmin, ownLimits: OwnLimits, credentials: number): Promise<Account> {
  return await subscribe(admin, credentials, { testMode: false, plan: 'professional', ownLimits });
}

export async function createTestAccount(admin: LedgerAdmin): Promise<Account> {
  return await subscribe(admin, 1, { testMode: true, plan: 'builder' });
}

async function subscribe(
  admin: LedgerAdmin,
  credentials: number,
  { testMode, ...terms }: { readonly testMode: boolean; readonly plan: string; readonly ownLimits?: OwnLimits },
): Promise<Account> {
  const { account } = await admin.createAccount({ name: 'chaos', testMode });
  const accountId = account?.id ?? 0n;
  const { subscription } = await admin.createSubscription({ accountId, ...terms });
  const tokens: string[] = [];
  for (let at = 0; at < credentials; at += 1)
    tokens.push((await admin.issueCredential({ accountId, label: `credential ${at}` })).token);
  return { accountId, subscriptionId: subscription?.id ?? 0n, tokens };
}
