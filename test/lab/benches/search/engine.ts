import type { FilterClass } from './filter-classes.ts';
import type { GeneratedRecord } from './generated-record.ts';
import type { ProcessorClock } from './processor-clock.ts';

/** Something that answers queries over a generated record. */
export interface Engine {
  readonly name: string;
  /** Whether what profiles say of companies counts beside the texts of observations; only the like is compared. */
  readonly hasContext: boolean;
  ask(words: readonly string[], within: FilterClass): Promise<Found>;
}

interface Found {
  /** The observations that were found, best first, none where companies are ranked alone; what it takes is not the engine's time. */
  readonly ids: () => readonly number[];
  /** What an engine in another process took by its own clock, in milliseconds. */
  readonly ownMs?: number;
}

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

/** Engines that share one index of a record; they go with it. */
export interface FilledPeer extends AsyncDisposable {
  readonly engines: readonly Engine[];
  readonly bytes: number;
  readonly clock: ProcessorClock;
}

/** Hits that an engine gives at most, or companies where it ranks these. */
export const HITS = 200;
/** Companies that their profiles make candidates, and what a profile counts beside the text of an observation. */
export const DESCRIBED_COMPANIES = 1_000;
export const CONTEXT_WEIGHT = 0.75;
/** Factor on an observation without a word of the query, found by its company's profile. */
export const UNANSWERING_FACTOR = 0.8;

/** Measures how long another engine takes to be filled. */
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
