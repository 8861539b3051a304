import type { Queryable } from '@ces/chassis/postgres/pool';
import { isEverAdmissible } from '../allowance/admission.ts';
import { allowanceOf, type BalanceSnapshot } from '../allowance/balance-snapshot.ts';
import type { Decision, Hold, Posting } from '../allowance/posting.ts';
import { limitRefusal, type Refusal } from '../allowance/refusal.ts';
import type { SubscriptionSnapshot } from '../db/balance-snapshot.ts';
import { findRetryTimes, type NewEntry } from '../db/entry.ts';
import { type HoldClosing, insertTombstones, type NewHold, type NewTombstone } from '../db/hold.ts';
import { writePostings } from '../db/write-postings.ts';
import { PostingFault, PostingMismatch, type PostingOutcome, type PostingResult } from './result.ts';

export interface Step {
  readonly posting: Posting;
  readonly decision: Decision;
  readonly balance: BalanceSnapshot;
  /** Microseconds after the batch. No two rows of a subscription share an instant. */
  readonly ordinal: number;
}

/**
 * Entries precede the query for `retry_at`, which must see them. Without a refusal, `commit` is
 * sent together with the writes.
 */
export async function writeSteps(
  client: Queryable,
  subscription: SubscriptionSnapshot,
  steps: readonly Step[],
  commit: () => void,
): Promise<readonly PostingOutcome[]> {
  const { subscriptionId, now } = subscription;
  const last = steps.findLast(isWritten);
  const written = last && {
    holds: steps.flatMap(newHold),
    closings: steps.flatMap(newClosing),
    entries: steps.flatMap(newEntry),
    balance: last.balance,
    lastOrdinal: last.ordinal,
  };
  const writing = written && writePostings(client, subscription, written);
  const refusing = steps.some(isRefusal) ? refuse(client, subscription, steps) : commit();
  const [, tombstones] = await Promise.all([writing, refusing]);
  if (tombstones) await insertTombstones(client, subscriptionId, now, tombstones);
  const refusals = new Map(tombstones?.map(({ operationId, refusal }) => [operationId, refusal]));
  return steps.map((step) => toResult(subscriptionId, step, refusals.get(step.posting.operationId)));
}

function isRefusal({ decision: { kind } }: Step): boolean {
  return kind === 'refuse' || kind === 'overstep';
}

function isWritten({ decision: { kind } }: Step): boolean {
  return kind !== 'known' && kind !== 'mismatch' && kind !== 'fault';
}

function newHold({ posting: { operationId, identity }, decision, ordinal }: Step): NewHold[] {
  if (decision.kind !== 'open') return [];
  return [{ operationId, identity, state: decision.state, units: decision.units, ordinal }];
}

function newClosing({ posting: { operationId }, decision }: Step): HoldClosing[] {
  return decision.kind === 'close' ? [{ operationId, state: decision.state }] : [];
}

function newEntry({ posting: { operationId }, decision, ordinal }: Step): NewEntry[] {
  const posts = (decision.kind === 'open' || decision.kind === 'close') && decision.state === 'posted';
  return posts ? [{ operationId, units: decision.units, ordinal }] : [];
}

async function refuse(
  client: Queryable,
  subscription: SubscriptionSnapshot,
  steps: readonly Step[],
): Promise<readonly NewTombstone[]> {
  const resolvable = steps.flatMap(({ decision }) =>
    decision.kind === 'overstep' && isEverAdmissible(decision.missing) ? decision.missing : [],
  );
  const retryTimes = resolvable.length > 0 ? await findRetryTimes(client, subscription, resolvable) : [];
  return steps.flatMap(({ posting: { operationId, identity }, decision, ordinal }) => {
    if (decision.kind === 'refuse')
      return [{ operationId, identity, ordinal, units: decision.units, refusal: decision.refusal }];
    if (decision.kind !== 'overstep') return [];
    const own = retryTimes.filter(({ shortfall }) => decision.missing.includes(shortfall));
    const refusal = limitRefusal(decision.missing, own, decision.admissible);
    return [{ operationId, identity, ordinal, units: decision.units, refusal }];
  });
}

function toResult(
  subscriptionId: bigint,
  { posting, decision, balance }: Step,
  refusal: Refusal | undefined,
): PostingOutcome {
  const allowance = allowanceOf(balance);
  const { operationId, identity } = posting;
  const hold = (state: Hold['state'], units: Hold['units']): PostingResult => ({
    hold: { operationId, identity, subscriptionId, state, units, refusal },
    allowance,
  });
  switch (decision.kind) {
    case 'known':
      return { hold: decision.hold, allowance };
    case 'open':
      return hold(decision.state, decision.units);
    case 'close':
      return hold(decision.state, decision.hold.units);
    case 'refuse':
    case 'overstep':
      return hold('refused', decision.units);
    case 'mismatch':
      return new PostingMismatch(posting.kind, posting, decision.field);
    case 'fault':
      return new PostingFault(decision.message);
  }
}
