import type { FilterClass } from './filter-classes.ts';
import type { GeneratedRecord } from './generated-record.ts';
import { type ProcessorClock, processorClock } from './processor-clock.ts';

/** Something that answers queries over a generated record. */
export interface Engine extends AsyncDisposable {
  readonly name: string;
  ask(words: readonly string[], within: FilterClass): Promise<Found>;
}

/** Gives the observations that were found, best BM25 first, none where companies are ranked alone; what it takes is not the engine's time. */
type Found = () => readonly number[];

/** An engine that has been filled, and what that took. */
export interface BuiltEngine {
  readonly engine: Engine;
  /** Undefined where an earlier run has filled it. */
  readonly perSecond: number | undefined;
  /** Its index: on disk, or the growth of this process where it lives in memory. */
  readonly bytes: number;
  /** Of all processes that an answer takes. */
  readonly clock: ProcessorClock;
}

/** Hits that an engine gives at most. */
export const HITS = 200;

/** Measures how long an engine in this process takes to be filled. */
export async function build(
  record: GeneratedRecord,
  fill: (record: GeneratedRecord) => Promise<{ engine: Engine; bytes: number }>,
): Promise<BuiltEngine> {
  const begun = performance.now();
  const { engine, bytes } = await fill(record);
  const perSecond = (record.observations * 1000) / (performance.now() - begun);
  return { engine, bytes, perSecond, clock: processorClock() };
}
