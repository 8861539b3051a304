import type { MessageInitShape } from '@bufbuild/protobuf';
import { dateOf } from '@ces/chassis/instant';
import { FailureCode, fail } from '@ces/chassis/rpc/failure';
import { countryName, kindName } from '@ces/proto/catalog';
import {
  type AcquireRequest,
  type AcquireResponseSchema,
  AcquireStop,
} from '@ces/proto/ces/acquisition/v1/acquisition_service_pb.ts';
import type { HandlerContext } from '@connectrpc/connect';
import { askSource, coversPlan } from '../acquire/ask-source.ts';
import type { Acquisition, SourceOutcome } from '../acquire/call-source.ts';
import type { SearchPlan, Source } from '../connector/source.ts';
import { newestFence, sumCalls } from '../db/provider-call.ts';
import { isEnabled, readStates, settingsOf } from '../db/source-state.ts';
import type { Dependencies } from './dependencies.ts';

const MAX_BUDGET_MS = 100_000;
/** Part of the caller's deadline that is reserved for the answer. */
const MARGIN_MS = 100;
const MOST_FRESH = 10_000;

export async function acquire(
  dependencies: Dependencies,
  request: AcquireRequest,
  context: HandlerContext,
): Promise<MessageInitShape<typeof AcquireResponseSchema>> {
  const { pool } = dependencies;
  const { operationId, fence } = request;
  if (operationId <= 0n || request.query.trim() === '')
    throw fail(FailureCode.INVALID_REQUEST, 'operation_id and query are required.');
  const plan = toPlan(request);
  const askable = dependencies.config.onDemand ? await findAskable(dependencies, plan) : [];
  if (askable.length === 0) return { stop: AcquireStop.DISABLED };
  if ((await newestFence(pool, operationId)) > fence)
    throw fail(FailureCode.INVALID_REQUEST, 'A later attempt of the operation has begun.');
  const deadline = AbortSignal.timeout(budgetMs(request, context));
  const asked = await askAll(dependencies, { operationId, fence, plan, deadline }, askable);
  const { tx, freshObservationIds } = await sumCalls(pool, operationId);
  return { ...asked, tx, freshObservationIds: freshObservationIds.slice(0, MOST_FRESH) };
}

async function findAskable({ pool, sources, config }: Dependencies, plan: SearchPlan) {
  const stateOf = await readStates(pool);
  return sources.all.flatMap((source) => {
    const state = stateOf(source.name);
    const ready = source.mode === 'on_demand' && isEnabled(source, state) && coversPlan(source, plan);
    return ready && settingsOf(source, state, config.secrets).missing.length === 0 ? [{ source, state }] : [];
  });
}

async function askAll(
  { pending, config, ...tools }: Dependencies,
  acquisition: Acquisition,
  askable: Awaited<ReturnType<typeof findAskable>>,
) {
  const outcomes = new Map<Source, SourceOutcome>();
  let calls = 0;
  const { callsPerOperation: maxCalls, cacheTtlMs } = config;
  const asking = askable.map(async ({ source, state }) => {
    const bounds = { maxCalls, cacheTtlMs };
    const asked = await askSource(tools, acquisition, source, state, bounds);
    calls += asked.calls;
    outcomes.set(source, asked.outcome);
  });
  for (const one of asking) pending.add(one);
  await Promise.race([Promise.all(asking), aborted(acquisition.deadline)]);
  const failures = askable.flatMap(({ source }) => {
    const outcome = outcomes.get(source) ?? { kind: 'failed' as const, reason: 'the source did not answer in time' };
    return outcome.kind === 'failed' ? [{ source: source.name, reason: outcome.reason }] : [];
  });
  return { stop: stopOf([...outcomes.values()], acquisition.deadline.aborted), calls, failures };
}

function stopOf(outcomes: readonly SourceOutcome[], late: boolean): AcquireStop {
  if (late) return AcquireStop.TIME;
  return outcomes.some(({ kind }) => kind === 'budget') ? AcquireStop.BUDGET : AcquireStop.EXHAUSTED;
}

function budgetMs(request: AcquireRequest, context: HandlerContext): number {
  const left = (context.timeoutMs() ?? MAX_BUDGET_MS) - MARGIN_MS;
  return Math.max(1, Math.min(request.budgetMs, left, MAX_BUDGET_MS));
}

function toPlan(request: AcquireRequest): SearchPlan {
  return {
    query: request.query,
    terms: request.terms,
    phrases: request.phrases,
    kinds: request.kinds.map((kind) => known(kindName(kind))),
    countries: request.countries.map((country) => known(countryName(country))),
    occurredAfter: request.occurredAfter && dateOf(request.occurredAfter),
  };
}

function known<T>(name: T | undefined): T {
  if (name === undefined) throw fail(FailureCode.INVALID_REQUEST, 'kinds and countries must be known ones.');
  return name;
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
