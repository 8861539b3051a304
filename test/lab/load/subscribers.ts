import { createRpcClient } from '@ces/chassis/rpc/client';
import { LedgerAdminService } from '@ces/proto/ces/ledger/v1/ledger_admin_service_pb.ts';

/** An account that calls with several credentials. */
export interface Account {
  readonly accountId: bigint;
  readonly subscriptionId: bigint;
  readonly tokens: readonly string[];
}

export type OwnLimits = Readonly<Record<string, bigint | number>>;

/** Far above what a run takes. */
export const AMPLE: OwnLimits = {
  ...{ windowRequestUnits: 1_000_000n, weekRequestUnits: 1_000_000n, periodRequestUnits: 1_000_000n },
  ...{ windowDeliveredUnits: 10_000_000n, weekDeliveredUnits: 10_000_000n, periodDeliveredUnits: 10_000_000n },
};

export type LedgerAdmin = ReturnType<typeof createRpcClient<typeof LedgerAdminService>>;

export function ledgerAdmin(url: string, callerToken: string): LedgerAdmin {
  return createRpcClient(LedgerAdminService, { url, callerToken, timeoutMs: 60_000 });
}

export async function createAccount(admin: LedgerAdmin, ownLimits: OwnLimits, credentials: number): Promise<Account> {
  const { account } = await admin.createAccount({ name: 'chaos', testMode: false });
  const accountId = account?.id ?? 0n;
  const { subscription } = await admin.createSubscription({ accountId, plan: 'professional', ownLimits });
  const tokens: string[] = [];
  for (let at = 0; at < credentials; at += 1)
    tokens.push((await admin.issueCredential({ accountId, label: `credential ${at}` })).token);
  return { accountId, subscriptionId: subscription?.id ?? 0n, tokens };
}
