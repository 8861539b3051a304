import type { RunCounts } from '../ingest/run-counts.ts';
import type { SearchPlan, Source } from '../sources/source.ts';

/** A search that asks sources, in one of its attempts. */
export interface Acquisition {
  readonly operationId: bigint;
  readonly fence: bigint;
  readonly plan: SearchPlan;
  /** Aborted when the time is used up; what was answered by then is still recorded. */
  readonly deadline: AbortSignal;
}

/** What became of asking one source. */
export type SourceOutcome =
  | { readonly kind: 'asked' }
  | { readonly kind: 'budget' }
  | { readonly kind: 'failed'; readonly reason: string };

/** What the calls of a search to one source share. */
export interface CallContext {
  readonly acquisition: Acquisition;
  readonly source: Source;
  readonly settings: ReadonlyMap<string, string>;
  readonly counts: RunCounts;
  readonly maxCalls: number;
  readonly rememberMs: number;
}

/** Whether a source can say anything to a plan. */
export function concerns({ kinds }: Source, plan: SearchPlan): boolean {
  return plan.kinds.length === 0 || kinds.some((kind) => plan.kinds.includes(kind));
}
