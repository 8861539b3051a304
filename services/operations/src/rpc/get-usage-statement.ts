import type { MessageInitShape } from '@bufbuild/protobuf';
import type { Principal } from '@ces/proto/ces/ledger/v1/ledger_pb.ts';
import type { GetUsageStatementResponse as LedgerPage } from '@ces/proto/ces/ledger/v1/ledger_service_pb.ts';
import type {
  GetUsageStatementRequest,
  GetUsageStatementResponseSchema,
} from '@ces/proto/ces/operations/v1/operations_service_pb.ts';
import type { HandlerContext } from '@connectrpc/connect';
import { type Binding, openCursor, type StatementCursor, signCursor } from '../cursor/cursor.ts';
import { findRequestKeys } from '../db/listed-operation.ts';
import { readNow } from '../db/now.ts';
import type { Dependencies } from '../dependencies.ts';
import { listFingerprint } from '../input/fingerprint.ts';
import { type Instant, instantToTimestamp } from '../input/instant.ts';
import { checkInterval, parseListInstant, parseListLimit } from '../input/list-input.ts';
import { renderStatement } from '../render/statement.ts';
import { microsToTimestamp, toMicros } from '../time.ts';
import { runAsCaller, takePage } from './principal.ts';
import { requireUsageScope } from './scope.ts';

type Answer = MessageInitShape<typeof GetUsageStatementResponseSchema>;
type Needed = Pick<Dependencies, 'pool' | 'config' | 'ledger' | 'callerLimits' | 'principals'>;

const DEFAULT_LIMIT = 100;
const MOST = 1_000;

/** The ledger's lines are authoritative; operations adds the request keys (decision 0008). */
export async function getUsageStatement(
  deps: Needed,
  request: GetUsageStatementRequest,
  context: HandlerContext,
): Promise<Answer> {
  const work = (principal: Principal) => readPage(deps, request, principal);
  return await runAsCaller(deps, request.caller, context, requireUsageScope, work, takePage);
}

async function readPage(
  { pool, config, ledger }: Needed,
  request: GetUsageStatementRequest,
  { accountId, subscriptionId }: Principal,
): Promise<Answer> {
  const limit = parseListLimit(request.limit, DEFAULT_LIMIT, MOST);
  const interval = intervalOf(request);
  const now = await readNow(pool);
  const filters = { ...interval, subscription: String(subscriptionId) };
  const binding = { accountId, pageFingerprint: listFingerprint('statement', filters) };
  const { start, expiresAt } = openPage(config, request.cursor, now, binding);
  const asked = start ? laterPage(start) : firstPage(interval);
  const page = await ledger.getUsageStatement({ subscriptionId, limit, ...asked });
  const keptSince = new Date(now.getTime() - config.retentionMs);
  const requestKeys = await findRequestKeys(pool, accountId, subscriptionId, page.lines, keptSince);
  const next = nextStart(page, start);
  return {
    ...renderStatement(page, requestKeys),
    asOf: start ? microsToTimestamp(start.asOf) : microsToTimestamp(toMicros(page.now)),
    ...(next && { nextCursor: signCursor(config.cursorKeys, next, expiresAt, binding) }),
  };
}

interface Interval {
  readonly since?: Instant;
  readonly until?: Instant;
}

function intervalOf(request: GetUsageStatementRequest): Interval {
  const since = parseListInstant(request.since, 'since');
  const until = parseListInstant(request.until, 'until');
  checkInterval(since, until);
  return { ...(since !== undefined && { since }), ...(until !== undefined && { until }) };
}

/** All cursors expire with the first page's. */
function openPage(
  { cursorKeys, cursorTtlMs }: Dependencies['config'],
  cursor: string | undefined,
  now: Date,
  binding: Binding,
): { readonly start: StatementCursor | undefined; readonly expiresAt: Date } {
  if (cursor === undefined) return { start: undefined, expiresAt: new Date(now.getTime() + cursorTtlMs) };
  const { position, expiresAt } = openCursor(cursorKeys, 'settled', cursor, now, binding);
  return { start: position, expiresAt };
}

function firstPage({ since, until }: Interval) {
  return {
    ...(since !== undefined && { since: instantToTimestamp(since) }),
    ...(until !== undefined && { until: instantToTimestamp(until) }),
  };
}

function laterPage({ since, until, knownUntil, settledAt, isReversal }: StatementCursor) {
  return {
    since: microsToTimestamp(since),
    until: microsToTimestamp(until),
    after: {
      knownUntil: microsToTimestamp(knownUntil),
      settledAt: microsToTimestamp(settledAt),
      reversal: isReversal,
    },
  };
}

function nextStart(page: LedgerPage, start: StatementCursor | undefined): StatementCursor | undefined {
  const last = page.lines.at(-1);
  if (!page.hasMore || !last) return undefined;
  return {
    kind: 'settled',
    since: toMicros(page.since),
    until: toMicros(page.until),
    asOf: start?.asOf ?? toMicros(page.now),
    knownUntil: toMicros(page.knownUntil),
    settledAt: toMicros(last.settledAt),
    isReversal: last.reason !== undefined,
  };
}
