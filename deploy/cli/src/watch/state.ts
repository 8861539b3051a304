import { readFile, rename, writeFile } from 'node:fs/promises';
import type { Units } from '@ces/client';
import { Refusal } from '../refusal.ts';

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

/** Keeps the state of a watch through restarts, or for as long as the process lives. */
export interface StateKeeper {
  save(state: WatchState): Promise<void>;
}

/** The state in a file; undefined when there is none yet. Throws a Refusal for the file of another watch. */
export async function readState(file: string, watched: string): Promise<WatchState | undefined> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw new Refusal(`${file} cannot be read (${error.message}): name another one with --state.`);
  });
  if (text === undefined) return undefined;
  const state = parse(text);
  if (!state) throw new Refusal(`${file} is not the state of a watch: name another file with --state.`);
  if (state.watched !== watched)
    throw new Refusal(`${file} is of another watch (${state.watched}): name another file with --state.`);
  return state;
}

/** Writes the file anew each time, whole or not at all; its owner alone can read it. */
export function keepIn(file: string): StateKeeper {
  return {
    async save(state) {
      const next = `${file}.next`;
      await writeFile(next, `${JSON.stringify(state, undefined, 2)}\n`, { mode: 0o600 });
      await rename(next, file);
    },
  };
}

export const keepNowhere: StateKeeper = { save: async () => undefined };

function parse(text: string): WatchState | undefined {
  try {
    const state = JSON.parse(text) as Partial<WatchState>;
    const isState = typeof state.watched === 'string' && typeof state.since === 'string' && Array.isArray(state.shown);
    return isState ? (state as WatchState) : undefined;
  } catch {
    return undefined;
  }
}
