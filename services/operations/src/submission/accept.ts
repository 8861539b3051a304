import { crashPoint } from '@ces/chassis/crash-point';
import { failWith } from '@ces/chassis/rpc/failure';
import { activeTraceparent } from '@ces/chassis/telemetry/span';
import type { Allowance } from '@ces/proto/ces/ledger/v1/ledger_pb.ts';
import type { Bounds, Hydrated, Work } from '../actions/action.ts';
import { beginAccepted } from '../db/job.ts';
import { insertCreated, insertWithResult } from '../db/operation.ts';
import { deleteUndecided, handOver } from '../db/transition.ts';
import type { Dependencies } from '../dependencies.ts';
import type { RunEnd } from '../execution/execute.ts';
import type { Operation } from '../operation/operation.ts';
import { advance, type Standing, standingOf } from '../operation/state-machine.ts';
import { withdraw } from '../operation/withdraw.ts';
import { newOperation, type Route, type Submission } from './submission.ts';

/** An operation that is accepted: how far it has come, and its run, if this process runs it. */
export interface Accepted {
  readonly standing: Exclude<Standing, { kind: 'gone' }>;
  readonly run?: Promise<RunEnd> | undefined;
  readonly hydrated?: readonly Hydrated[] | undefined;
}

/** Makes the operation of a new key. Undefined when the key was taken meanwhile; a refusal leaves no operation and is thrown. */
export async function accept(
  deps: Dependencies,
  submission: Submission,
  route: Route,
  bounds: Bounds,
): Promise<Accepted | undefined> {
  switch (route.kind) {
    case 'hold':
      return await acceptHeld(deps, submission, route, bounds);
    case 'charge':
      return await acceptCharged(deps, submission, await route.work(bounds), bounds);
    case 'free':
      return await acceptFree(deps, submission, route.work);
  }
}

/**
 * Intent first: the row is durable before any unit is held, and its id is shown to nobody before (reliability.md 2.2).
 * Nothing is begun for a caller who has gone, or whose deadline has passed: nobody would be told of it.
 */
async function acceptHeld(
  deps: Dependencies,
  submission: Submission,
  { worstCaseUnits, delayMs = 0 }: Route & { kind: 'hold' },
  { signal }: Bounds,
): Promise<Accepted | undefined> {
  const { config, pool, owner } = deps;
  const operation = await insertCreated(pool, newOperation(submission, 'hold', worstCaseUnits), {
    ...config,
    owner,
    traceparent: activeTraceparent(),
  });
  if (!operation) return undefined;
  crashPoint('accept.inserted');
  const begun = await reserveAndBegin(deps, submission, operation, delayMs, signal).catch((error: unknown) =>
    turnAway(deps, operation, error),
  );
  if (begun.standing.kind !== 'gone') logAccepted(deps, operation);
  return withoutGone(begun);
}

type Begun = Omit<Accepted, 'standing'> & { readonly standing: Standing };

async function reserveAndBegin(
  deps: Dependencies,
  { background }: Submission,
  operation: Operation,
  delayMs: number,
  present: AbortSignal,
): Promise<Begun> {
  const admission = await deps.ledger.reserve(operation);
  crashPoint('accept.reserved');
  present.throwIfAborted();
  if (admission.kind !== 'admitted') {
    await deleteUndecided(deps.pool, operation.id);
    return { standing: { kind: 'gone', refusal: admission.kind === 'refused' ? admission.failure : undefined } };
  }
  const runsHere = !background && delayMs === 0 && deps.runs.free('waited') > 0;
  return await (runsHere
    ? runHere(deps, operation, admission.allowance)
    : leaveToWorkers(deps, operation, delayMs, admission.allowance));
}

async function runHere(deps: Dependencies, operation: Operation, allowance: Allowance): Promise<Begun> {
  const { pool, config, owner } = deps;
  const claim = await beginAccepted(pool, operation.id, { ...config, owner });
  if (!claim) return { standing: await standingOf(deps, operation) };
  return { standing: { kind: 'open', operation: claim.operation, allowance }, run: deps.runs.begin('waited', claim) };
}

async function leaveToWorkers(
  deps: Dependencies,
  operation: Operation,
  delayMs: number,
  allowance: Allowance,
): Promise<Begun> {
  if (!(await handOver(deps.pool, operation.id, deps.owner, delayMs)))
    return { standing: await standingOf(deps, operation) };
  deps.findWorker();
  return { standing: { kind: 'open', operation: { ...operation, point: 'held' }, allowance } };
}

/** The call is turned away, so nothing may become of it; what cannot be withdrawn now is by the sweeper. */
async function turnAway(deps: Dependencies, operation: Operation, error: unknown): Promise<Begun> {
  deps.logger.warn({ err: error, operation_id: operation.id }, 'operation not accepted');
  const standing = await withdraw(deps, operation).catch((fault: unknown) => {
    deps.logger.warn({ err: fault, operation_id: operation.id }, 'withdrawn later');
  });
  if (standing?.kind === 'ended') return { standing };
  throw error;
}

/** A refusal is thrown; what was withdrawn is undefined: the key is free. */
function withoutGone(begun: Begun): Accepted | undefined {
  const { standing, ...rest } = begun;
  if (standing.kind !== 'gone') return { ...rest, standing };
  if (standing.refusal) throw failWith(standing.refusal);
  return undefined;
}

/** Read first, then three steps and two commits: store, charge, answer. Nobody sees the result before it is charged. */
async function acceptCharged(
  deps: Dependencies,
  submission: Submission,
  work: Work,
  { signal }: Bounds,
): Promise<Accepted | undefined> {
  signal.throwIfAborted();

  crashPoint('charge.before_insert');
  const units = work.result.settledCompanyIds.length;
  const operation = await insertWithResult(deps.pool, newOperation(submission, 'charge', units), work.result, 'stored');
  if (!operation) return undefined;
  crashPoint('charge.inserted');
  const { standing } = await advance(deps, operation).then(
    (reached): Begun => ({ standing: reached }),
    (error: unknown) => turnAway(deps, operation, error),
  );
  if (standing.kind !== 'gone') logAccepted(deps, operation);
  return withoutGone({ standing, hydrated: work.hydrated });
}

async function acceptFree(deps: Dependencies, submission: Submission, work: Work): Promise<Accepted | undefined> {
  const operation = await insertWithResult(deps.pool, newOperation(submission, 'none', 0), work.result, 'delivered');
  if (!operation) return undefined;
  logAccepted(deps, operation);
  return { standing: { kind: 'ended', operation, allowance: undefined }, hydrated: work.hydrated };
}

function logAccepted({ logger }: Dependencies, { id, accountId, input, payment }: Operation): void {
  logger.info({ operation_id: id, account_id: accountId, action: input.action, payment }, 'operation accepted');
}
