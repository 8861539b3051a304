import type { MessageInitShape } from '@bufbuild/protobuf';
import { failure } from '@ces/chassis/rpc/failure';
import type { Principal } from '@ces/proto/ces/ledger/v1/ledger_pb.ts';
import { type Action, Status } from '@ces/proto/ces/operations/v1/operations_pb.ts';
import type {
  ListedUsageSchema,
  ListUsagesRequest,
  ListUsagesResponseSchema,
} from '@ces/proto/ces/operations/v1/operations_service_pb.ts';
import { ACTION_NAMES, type ActionName, actionOf } from '@ces/proto/operations';
import type { HandlerContext } from '@connectrpc/connect';
import { openCursor, signCursor } from '../cursor/cursor.ts';
import { type ListedOperation, type ListFilter, listOperations } from '../db/listed-operation.ts';
import { readNow } from '../db/now.ts';
import type { Dependencies } from '../dependencies.ts';
import { listFingerprint } from '../input/fingerprint.ts';
import { checkInterval, laterInstant, parseListInstant, parseListLimit, refuseList } from '../input/list-input.ts';
import type { Settlement } from '../ledger/ledger.ts';
import { toUnits } from '../ledger/messages.ts';
import { isUndecided, OPERATION_STATES, type OperationState } from '../model/operation.ts';
import { failureCodeOf } from '../model/stored-failure.ts';
import { statusOf } from '../render/answer.ts';
import { toTimestamp } from '../time.ts';
import { runAsCaller, takePage } from './principal.ts';
import { requireUsageScope } from './scope.ts';

type Answer = MessageInitShape<typeof ListUsagesResponseSchema>;

const DEFAULT_LIMIT = 50;
const MOST = 100;

/** Only states that callers may see (decision 0008). */
export async function listUsages(
  deps: Pick<Dependencies, 'pool' | 'config' | 'ledger' | 'callerLimits' | 'principals'>,
  request: ListUsagesRequest,
  context: HandlerContext,
): Promise<Answer> {
  const work = (principal: Principal) => listOwn(deps, request, principal);
  return await runAsCaller(deps, request.caller, context, requireUsageScope, work, takePage);
}

async function listOwn(
  { pool, config, ledger }: Pick<Dependencies, 'pool' | 'config' | 'ledger'>,
  request: ListUsagesRequest,
  { accountId }: Principal,
): Promise<Answer> {
  const limit = parseListLimit(request.limit, DEFAULT_LIMIT, MOST);
  const asked = filtersOf(request);
  const now = await readNow(pool);
  const binding = { accountId, pageFingerprint: listFingerprint('usages', asked) };
  const after =
    request.cursor === undefined
      ? undefined
      : openCursor(config.cursorKeys, 'accepted', request.cursor, now, binding).position;
  const { operations, next } = await listOperations(pool, rowsOf(asked, accountId, now, config), after, limit);
  const shown = await asShown(ledger, operations);
  const expiresAt = new Date(now.getTime() + config.cursorTtlMs);
  return {
    usages: shown.filter(({ state }) => asked.states.includes(state)).map(renderListed),
    ...(next && { nextCursor: signCursor(config.cursorKeys, { kind: 'accepted', ...next }, expiresAt, binding) }),
    asOf: toTimestamp(listAsOf(now, shown)),
  };
}

type Filters = ReturnType<typeof filtersOf>;

function filtersOf({ since: from, until: to, action, status }: ListUsagesRequest) {
  const [since, until] = [parseListInstant(from, 'since'), parseListInstant(to, 'until')];
  checkInterval(since, until);
  return {
    ...(since !== undefined && { since }),
    ...(until !== undefined && { until }),
    actions: actionsOf(action),
    states: statesOf(status),
  };
}

function rowsOf(
  { since, until, actions, states }: Filters,
  accountId: bigint,
  now: Date,
  { retentionMs }: Dependencies['config'],
): ListFilter {
  const keptSince = new Date(now.getTime() - retentionMs).toISOString();
  const stored = states.includes('delivered') ? (['stored'] as const) : [];
  return {
    accountId,
    actions,
    states: [...states, ...stored],
    since: laterInstant(keptSince, since ?? keptSince),
    until,
  };
}

function actionsOf(action: Action): readonly ActionName[] {
  const asked = ACTION_NAMES.filter((name) => action === 0 || actionOf(name) === action);
  return asked.length > 0 ? asked : refuseList(`\`action\` must be one of ${ACTION_NAMES.join(', ')}.`);
}

/**
 * A stored operation is delivered once the ledger has settled it; until then it is processing, or
 * hidden when it is yet to be charged.
 */
async function asShown(
  ledger: Dependencies['ledger'],
  operations: readonly ListedOperation[],
): Promise<readonly ListedOperation[]> {
  const settled = await ledger.listSettled(operations.flatMap(({ id, state }) => (state === 'stored' ? [id] : [])));
  return operations.flatMap((operation) => {
    const entry = settled.get(operation.id);
    if (operation.state === 'stored' && entry && isSame(operation, entry))
      return [
        {
          ...operation,
          state: 'delivered',
          units: entry.units,
          finishedAt: laterOf(operation.createdAt, entry.settledAt),
        } as const,
      ];
    return isUndecided(operation) ? [] : [operation];
  });
}

/** By the ledger's clock a settlement may precede its acceptance. */
function laterOf(createdAt: Date, settledAt: Date): Date {
  return settledAt < createdAt ? createdAt : settledAt;
}

/** A restore may repeat a number for another operation. */
function isSame(operation: ListedOperation, { identity }: Settlement): boolean {
  return operation.identity === identity;
}

/** Before `held` no caller has seen the operation. */
const SHOWN = OPERATION_STATES.filter((state) => state !== 'created' && state !== 'withdrawing');

function statesOf(status: Status): readonly OperationState[] {
  const asked = SHOWN.filter((state) => status === Status.UNSPECIFIED || statusOf(state) === status);
  return asked.length > 0 ? asked : refuseList('`status` must be one of pending, processing, delivered, failed.');
}

interface Timed {
  readonly createdAt: Date;
  readonly finishedAt: Date | undefined;
}

/** No earlier than any time of the operations, which may be later than `now`. */
export function listAsOf(now: Date, operations: readonly Timed[]): Date {
  const times = operations.flatMap(({ createdAt, finishedAt }) => [createdAt, finishedAt ?? createdAt]);
  return new Date(Math.max(now.getTime(), ...times.map((time) => time.getTime())));
}

function renderListed(operation: ListedOperation): MessageInitShape<typeof ListedUsageSchema> {
  const { id, action, requestKey, state, units, query, createdAt, finishedAt, failure: stored } = operation;
  return {
    usage: { id, status: statusOf(state), requestKey, units: toUnits(units) },
    action: actionOf(action),
    ...(query !== undefined && { query }),
    createdAt: toTimestamp(createdAt),
    ...(finishedAt && { finishedAt: toTimestamp(finishedAt) }),
    ...(state === 'failed' && stored && { failure: failure(failureCodeOf(stored.code), stored.message) }),
  };
}
