import type { FilterClass } from './filter-classes.ts';
import type { ProcessorClock } from './processor-clock.ts';

export interface Engine {
  readonly name: string;
  /** Whether company profiles count too. Only engines of the same sort are compared. */
  readonly hasContext: boolean;
  ask(words: readonly string[], within: FilterClass): Promise<Found>;
}

interface Found {
  /**
   * Found observations, best first. Empty if the engine ranks companies. The conversion is outside
   * the measured time.
   */
  readonly ids: () => readonly number[];
}

export interface BuiltEngine {
  readonly engine: Engine;
  /** Undefined if an earlier run filled it. */
  readonly perSecond: number | undefined;
  /** Index size on disk. */
  readonly bytes: number;
  readonly clock: ProcessorClock;
}

/** The result limit, in observations or companies. */
export const HITS = 200;
