import { inTransaction, type Pool } from '@ces/chassis/postgres/pool';
import type { NamedOperation } from '../allowance/mismatch.ts';
import type { HoldState } from '../allowance/posting.ts';
import { insertAudit } from '../db/audit.ts';
import { lockSubscription, readSnapshot } from '../db/balance-snapshot.ts';
import { insertReversal, isReversed, type NewReversal } from '../db/reversal.ts';
import { NO_POSTINGS, writePostings } from '../db/write-postings.ts';
import type { Postings } from './postings.ts';
import { PostingFault } from './result.ts';

export interface Reversed {
  readonly state: HoldState;
  /** This call or an earlier one reversed a settlement. */
  readonly reversed: boolean;
}

/** Nothing is held or settled, now or later (promise R32). Safe to repeat. */
export async function reverse(
  pool: Pool,
  postings: Postings,
  operation: NamedOperation,
  by: Omit<NewReversal, 'operationId'>,
): Promise<Reversed> {
  const reversal = { ...by, operationId: operation.operationId };
  const { hold } = await postings.release(operation);
  if (hold.state !== 'posted') return { state: hold.state, reversed: await isReversed(pool, reversal.operationId) };
  if (hold.subscriptionId === undefined)
    throw new PostingFault(`reverse: operation ${hold.operationId} names no payer`);
  await writeReversal(pool, hold.subscriptionId, reversal);
  return { state: 'void', reversed: true };
}

async function writeReversal(pool: Pool, subscriptionId: bigint, reversal: NewReversal): Promise<void> {
  const { operationId, caller, reason } = reversal;
  await inTransaction(pool, async (client) => {
    await lockSubscription(client, subscriptionId);
    const subscription = await readSnapshot(client, subscriptionId);
    if (!subscription) throw new PostingFault(`reverse: there is no subscription ${subscriptionId}`);
    if (!(await insertReversal(client, reversal, subscription.now))) {
      if (await isReversed(client, operationId)) return;
      throw new PostingFault(`reverse: operation ${operationId} is posted and has no entry`);
    }
    await writePostings(client, subscription, { ...NO_POSTINGS, balance: subscription.balance });
    await insertAudit(client, {
      actor: { name: caller, role: undefined, reason },
      action: 'Reverse',
      subjectId: operationId,
      detail: { subscriptionId, reason },
    });
  });
}
