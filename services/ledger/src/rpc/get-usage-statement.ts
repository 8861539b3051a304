import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { GetUsageStatementRequest } from '@ces/proto/ces/ledger/v1/ledger_service_pb.ts';
import { readKeptSince, readPrunedBefore } from '../db/retention.ts';
import {
  findIdentities,
  listStatementLines,
  readKnownUntil,
  readStatementTotals,
  type StatementInterval,
  type StatementLine,
  type StatementPosition,
} from '../db/statement.ts';
import { findSubscription, type Subscription } from '../db/subscription.ts';
import type { Dependencies } from './dependencies.ts';
import { invalid, notFound, requirePageSize } from './input.ts';
import { microsToTimestamp, requireMicros } from './instant.ts';
import { subscriptionMessage } from './messages.ts';

/** Shows settlements as known when page one was read (decision 0008). */
export async function getUsageStatement({ pool, keptDays }: Dependencies, request: GetUsageStatementRequest) {
  const { subscriptionId } = request;
  const limit = requirePageSize(request.limit, 100, 1_000);
  const subscription = await findSubscription(pool, subscriptionId);
  const clock = await readKnownUntil(pool, subscriptionId);
  if (!subscription || !clock) throw notFound('subscription', subscriptionId);
  const interval = intervalOf(request, subscription, clock);
  // Readable until one of their entries is deleted.
  requireKept(interval, await (request.after ? readPrunedBefore(pool) : readKeptSince(pool, keptDays)));
  const lines = await listStatementLines(pool, interval, positionOf(request), limit + 1);
  const shown = lines.slice(0, limit);
  const identities = await findIdentities(pool, shown);
  return {
    subscription: subscriptionMessage(subscription),
    since: microsToTimestamp(interval.since),
    until: microsToTimestamp(interval.until),
    now: microsToTimestamp(clock.now),
    knownUntil: microsToTimestamp(interval.knownUntil),
    lines: shown.map((line) => lineMessage(line, identities.get(line.operationId))),
    totals: await readStatementTotals(pool, interval),
    hasMore: lines.length > limit,
  };
}

function intervalOf(
  { subscriptionId, since, until, after }: GetUsageStatementRequest,
  { currentPeriodStart }: Subscription,
  clock: { readonly knownUntil: bigint; readonly now: bigint },
): StatementInterval {
  const from = requireMicros(since ?? timestampFromDate(currentPeriodStart), 'since');
  const to = until ? requireMicros(until, 'until') : nextMillisecond(clock.now);
  if (to <= from) throw invalid('`since` must be before `until`, which is now unless it is sent.');
  const knownUntil = after?.knownUntil ? requireMicros(after.knownUntil, 'known_until') : clock.knownUntil;
  return { subscriptionId, since: from, until: to, knownUntil };
}

/** Answers show milliseconds; as `until` one means everything settled by now. */
function nextMillisecond(micros: bigint): bigint {
  return (micros / 1_000n + 1n) * 1_000n;
}

function positionOf({ after }: GetUsageStatementRequest): StatementPosition | undefined {
  if (!after?.settledAt) return undefined;
  return { settledAt: requireMicros(after.settledAt, 'settled_at'), isReversal: after.reversal };
}

function requireKept({ since }: StatementInterval, keptSince: Date): void {
  if (since < BigInt(keptSince.getTime()) * 1_000n)
    throw invalid(`Settlements are kept since ${dayOfUse(keptSince)}: send that or a later instant as \`since\`.`);
}

/** Kept for one more day, since the limit moves with the clock. */
function dayOfUse(keptSince: Date): string {
  return new Date(Math.ceil(keptSince.getTime() / DAY_MS + 1) * DAY_MS).toISOString();
}

const DAY_MS = 86_400_000;

function lineMessage(line: StatementLine, identity = '') {
  const { operationId, settledAt, units, reason } = line;
  const about = { operationId, operationIdentity: identity, settledAt: microsToTimestamp(settledAt) };
  return { ...about, units, ...(reason !== undefined && { reason }) };
}
