import type pg from 'pg';
import { AMPLE, type LedgerAdmin } from '../../load/subscribers.ts';
import type { Databases } from './system.ts';

export interface Payer {
  readonly accountId: bigint;
  readonly subscriptionId: bigint;
  readonly credentialId: bigint;
  readonly token: string;
}

/** The second account and the last ones have had no operation for months. */
export const QUIET_ACCOUNTS = 30;

/**
 * The longest possible window, so that the usage report of a quiet account counts the most rows.
 */
const LONGEST_WINDOW_SECONDS = 31_622_400n;

export async function createPayer(ledger: LedgerAdmin, windowSeconds?: bigint): Promise<Payer> {
  const { account } = await ledger.createAccount({ name: 'history' });
  const accountId = account?.id ?? 0n;
  const ownLimits = { ...AMPLE, ...(windowSeconds !== undefined && { windowSeconds }) };
  const { subscription } = await ledger.createSubscription({ accountId, plan: 'professional', ownLimits });
  const { token, credential } = await ledger.issueCredential({ accountId, label: 'history' });
  return { accountId, subscriptionId: subscription?.id ?? 0n, credentialId: credential?.id ?? 0n, token };
}

export async function createPayers(ledger: LedgerAdmin, count: number): Promise<Payer[]> {
  const payers: Payer[] = [];
  for (let rank = 1; rank <= count; rank += 1)
    payers.push(await createPayer(ledger, isQuiet(rank, count) ? LONGEST_WINDOW_SECONDS : undefined));
  return payers;
}

function isQuiet(rank: number, count: number): boolean {
  return rank === 2 || rank > count - QUIET_ACCOUNTS;
}

export async function backdateAccounts(databases: Databases): Promise<void> {
  await using ledger = await databases.connect('ledger');
  const then = `clock_timestamp() - interval '25 months'`;
  await ledger.query(`update account set created_at = ${then}`);
  await ledger.query(`update credential set created_at = ${then}`);
  await ledger.query(`update subscription set created_at = ${then}, limits_changed_at = ${then},
    period_anchor = date_trunc('second', ${then}) + id % 28 * interval '1 day'`);
}

/**
 * Creates the temporary table `payer` (rank, account_id, subscription_id, credential_id) in the
 * session.
 */
export async function loadPayers(client: pg.Client, payers: readonly Payer[]): Promise<void> {
  await client.query(
    'create temporary table payer (rank integer primary key, account_id bigint, subscription_id bigint, credential_id bigint)',
  );
  await client.query(
    `insert into payer select n, a, s, c
     from unnest($1::bigint[], $2::bigint[], $3::bigint[]) with ordinality as given (a, s, c, n)`,
    [
      payers.map(({ accountId }) => accountId),
      payers.map(({ subscriptionId }) => subscriptionId),
      payers.map(({ credentialId }) => credentialId),
    ],
  );
  await client.query('analyze payer');
}
