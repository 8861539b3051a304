import type { SearchPlan, Source } from '../connector/source.ts';
import type { RunCounts } from '../ingest/run-counts.ts';

export interface Acquisition {
  readonly operationId: bigint;
  readonly fence: bigint;
  readonly plan: SearchPlan;
  /** Aborts when the time is used up. Answers that arrived by then are still recorded. */
  readonly deadline: AbortSignal;
}

export type SourceOutcome =
  | { readonly kind: 'asked' }
  | { readonly kind: 'budget' }
  | { readonly kind: 'failed'; readonly reason: string };

export interface CallContext {
  readonly acquisition: Acquisition;
  readonly source: Source;
  readonly settings: ReadonlyMap<string, string>;
  readonly counts: RunCounts;
  readonly maxCalls: number;
  readonly cacheTtlMs: number;
}

export function coversPlan({ kinds }: Source, plan: SearchPlan): boolean {
  return plan.kinds.length === 0 || kinds.some((kind) => plan.kinds.includes(kind));
}
