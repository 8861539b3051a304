import type { FetchRequest, SearchPlan, Source } from '../connector/source.ts';
import { beginRun, endRun } from '../db/source-run.ts';
import { type SourceState, settingsOf } from '../db/source-state.ts';
import { RunCounts } from '../ingest/run-counts.ts';
import type { FetchTools } from '../run/fetch-source.ts';
import { type Acquisition, type CallContext, callSource, type SourceOutcome } from './call-source.ts';

interface AskBounds {
  readonly maxCalls: number;
  readonly cacheTtlMs: number;
}

/** Records one run. A failure of the source becomes an outcome and is never thrown. */
export async function askSource(
  tools: FetchTools,
  acquisition: Acquisition,
  source: Source,
  state: SourceState,
  bounds: AskBounds,
): Promise<{ readonly outcome: SourceOutcome; readonly calls: number }> {
  const { values: settings } = settingsOf(source, state, tools.secrets);
  const requests = source.query?.(acquisition.plan, { now: tools.clock.now(), settings, watermark: undefined }) ?? [];
  if (requests.length === 0) return { outcome: { kind: 'asked' }, calls: 0 };
  const counts = new RunCounts();
  const { operationId } = acquisition;
  const runId = await beginRun(tools.pool, { source: source.name, trigger: 'operation', operationId });
  const context = { acquisition, source, settings, counts, ...bounds };
  const outcome = await askInTurn(tools, context, requests);
  const drift = counts.driftMissing.size > 0 ? 'drift' : 'done';
  const ends = { asked: drift, budget: 'stopped', failed: 'failed' } as const;
  const failure = { asked: '', budget: 'the budget is used up', failed: 'reason' in outcome ? outcome.reason : '' };
  await endRun(tools.pool, runId, ends[outcome.kind], failure[outcome.kind], counts.toRow());
  return { outcome, calls: counts.requests };
}

async function askInTurn(
  tools: FetchTools,
  context: CallContext,
  requests: readonly FetchRequest[],
): Promise<SourceOutcome> {
  try {
    await tools.registrar.register(context.source);
    for (const request of requests) {
      context.acquisition.deadline.throwIfAborted();
      const outcome = await callSource(tools, context, request);
      if (outcome.kind !== 'asked') return outcome;
    }
    return { kind: 'asked' };
  } catch (error) {
    const late = context.acquisition.deadline.aborted;
    if (!late) tools.logger.error({ err: error, source: context.source.name }, 'asking a source broke down');
    return { kind: 'failed', reason: late ? 'the source did not answer in time' : 'asking it broke down' };
  }
}

export function coversPlan({ kinds }: Source, plan: SearchPlan): boolean {
  return plan.kinds.length === 0 || kinds.some((kind) => plan.kinds.includes(kind));
}
