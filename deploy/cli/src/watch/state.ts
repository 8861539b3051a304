import type { Units } from '@ces/client';

/** A round that was begun: what is sent again as it was, so that nothing is paid for twice. */
export interface OpenRound {
  /** Idempotency key of its first page; of page 2 it is `KEY/2`. */
  readonly key: string;
  readonly since: string;
  readonly limit: number;
  /** From 1. */
  readonly page: number;
  readonly cursor?: string;
  /** `as_of` of its first page. */
  readonly asOf?: string;
}

/** Where a watch stands; what a restart goes on with. */
export interface WatchState {
  /** What is watched, as text that tells one watch from another. */
  readonly watched: string;
  /** From when on the next round asks. */
  readonly since: string;
  /** When the next round is due, in milliseconds since 1970. */
  readonly dueAt: number;
  readonly round?: OpenRound;
  /** Observations that were shown, with when they were collected, as far as they can come again. */
  readonly shown: readonly (readonly [id: number, observedAt: string])[];
  readonly rounds: number;
  readonly spent: Units;
}
