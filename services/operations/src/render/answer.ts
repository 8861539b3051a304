import { create } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { Pool } from '@ces/chassis/postgres/pool';
import { failure } from '@ces/chassis/rpc/failure';
import type { Allowance, Principal } from '@ces/proto/ces/ledger/v1/ledger_pb.ts';
import { type OperationAnswer, OperationAnswerSchema, Status } from '@ces/proto/ces/operations/v1/operations_pb.ts';
import { actionOf } from '@ces/proto/operations';
import type { ActionDependencies, Bounds } from '../actions/action.ts';
import { hydrate } from '../actions/hydrate.ts';
import type { Ledger, SubscriptionSnapshot } from '../ledger/ledger.ts';
import { toUnits } from '../ledger/messages.ts';
import type { Operation, OperationState } from '../model/operation.ts';
import type { Hydrated, StoredResult } from '../model/result.ts';
import type { Meters } from '../telemetry/meters.ts';
import { findEarlierCompanies } from './earlier-companies.ts';
import { type Outcome, renderResult } from './result.ts';

export interface AnswerDependencies {
  readonly pool: Pool;
  readonly ledger: Ledger;
  readonly meters: Meters;
  readonly actions: Pick<ActionDependencies, 'lookup'>;
}

export interface Precomputed {
  readonly allowance?: Allowance | undefined;
  readonly hydrated?: readonly Hydrated[] | undefined;
}

export async function answer(
  deps: AnswerDependencies,
  principal: Principal,
  operation: Operation,
  replayed: boolean,
  precomputed: Precomputed,
  bounds: Bounds,
): Promise<OperationAnswer> {
  const known = operation.subscriptionId === principal.subscriptionId ? precomputed.allowance : undefined;
  const snapshot = known ? undefined : deps.ledger.getSubscription(principal.subscriptionId);
  const [outcome, subscription] = await Promise.all([
    outcomeOf(deps, operation, precomputed.hydrated, snapshot, bounds),
    snapshot,
  ]);
  const allowance = known ?? subscription?.allowance;
  return create(OperationAnswerSchema, {
    usage: {
      id: operation.id,
      status: statusOf(operation.state),
      requestKey: operation.requestKey,
      units: toUnits(operation.units),
    },
    ...(allowance && { allowance }),
    replayed,
    action: actionOf(operation.input.action),
    outcome,
    createdAt: timestampFromDate(operation.createdAt),
    ...(operation.finishedAt && { finishedAt: timestampFromDate(operation.finishedAt) }),
  });
}

async function outcomeOf(
  deps: AnswerDependencies,
  operation: Operation,
  known: readonly Hydrated[] | undefined,
  snapshot: Promise<SubscriptionSnapshot> | undefined,
  bounds: Bounds,
): Promise<Outcome> {
  const { state, result, failure: stored } = operation;
  if (state === 'failed' && stored) return { case: 'failed', value: failure(stored.code, stored.message) };
  if (state !== 'delivered' || !result) return { case: 'pending', value: {} };
  const hydrated = known ?? (await replay(deps, result, bounds));
  // This call has already skipped companies that an earlier page delivered.
  const earlier = known
    ? NONE_EARLIER
    : await findEarlierCompanies(deps.actions, deps.pool, operation, result, hydrated, bounds);
  const outcome = renderResult(operation, result, {
    hydrated,
    earlierCompanies: earlier,
    subscription: await snapshot,
  });
  if (outcome.value && 'withheldUnits' in outcome.value) deps.meters.withheld(Number(outcome.value.withheldUnits));
  return outcome;
}

const NONE_EARLIER: ReadonlySet<bigint> = new Set();

async function replay(deps: AnswerDependencies, result: StoredResult, bounds: Bounds): Promise<readonly Hydrated[]> {
  if (result.items.length === 0) return [];
  return (await hydrate(deps.actions, result.items, result.judgedAt, bounds)).hydrated;
}

/** Before settlement or release, a state is shown as processing. */
const STATUSES: Readonly<Record<OperationState, Status>> = {
  created: Status.PENDING,
  withdrawing: Status.PENDING,
  held: Status.PENDING,
  running: Status.PROCESSING,
  stored: Status.PROCESSING,
  failing: Status.PROCESSING,
  delivered: Status.DELIVERED,
  failed: Status.FAILED,
};

export function statusOf(state: OperationState): Status {
  return STATUSES[state];
}
