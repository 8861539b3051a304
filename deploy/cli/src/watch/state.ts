import type { Units } from '@ces/client';

/** A round in progress. A restart repeats it with the same key, which is not charged twice. */
export interface OpenRound {
  readonly key: string;
  readonly since: string;
  readonly limit: number;
  readonly page: number;
  readonly cursor?: string;
  readonly asOf?: string;
}

export interface WatchState {
  readonly watched: string;
  readonly since: string;
  /** When the next round is due, in milliseconds since 1970. */
  readonly dueAt: number;
  readonly round?: OpenRound;
  /** Observations already shown, by collection time, while the overlap can return them again. */
  readonly shown: readonly (readonly [id: number, observedAt: string])[];
  readonly rounds: number;
  readonly spent: Units;
}
