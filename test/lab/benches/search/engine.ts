import type { FilterClass } from './filter-classes.ts';
import type { GeneratedRecord } from './generated-record.ts';
import type { ProcessorClock } from './processor-clock.ts';

export interface Engine {
  readonly name: string;
  /**
   * Whether company profiles count in addition to observations. Comparisons pair only engines of
   * the same sort.
   */
  readonly hasContext: boolean;
  ask(words: readonly string[], within: FilterClass): Promise<Found>;
}

interface Found {
  /**
   * Found observations, best first. Empty if the engine ranks companies. The conversion is outside
   * the measured time.
   */
  readonly ids: () => readonly number[];
  readonly ownMs?: number;
}

export interface BuiltEngine {
  readonly engine: Engine;
  /** Undefined if an earlier run filled it. */
  readonly perSecond: number | undefined;
  /** Index size on disk, or the memory growth of this process. */
  readonly bytes: number;
  readonly clock: ProcessorClock;
}

export interface FilledPeer extends AsyncDisposable {
  readonly engines: readonly Engine[];
  readonly bytes: number;
  readonly clock: ProcessorClock;
}

/** The result limit, in observations or companies. */
export const HITS = 200;
/**
 * Number of candidate companies by profile, and the weight of a profile relative to an observation.
 */
export const DESCRIBED_COMPANIES = 1_000;
export const CONTEXT_WEIGHT = 0.75;
/** Factor for an observation without a query word, found by its company's profile. */
export const UNANSWERING_FACTOR = 0.8;

export async function build(
  record: GeneratedRecord,
  fill: (record: GeneratedRecord) => Promise<FilledPeer>,
): Promise<{ readonly peer: FilledPeer; readonly built: readonly BuiltEngine[] }> {
  const begun = performance.now();
  const peer = await fill(record);
  const perSecond = (record.observations * 1000) / (performance.now() - begun);
  const { bytes, clock } = peer;
  return { peer, built: peer.engines.map((engine) => ({ engine, bytes, perSecond, clock })) };
}
