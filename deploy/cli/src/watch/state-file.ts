import { readFile, rename, writeFile } from 'node:fs/promises';
import type { Units } from '@ces/client';
import { Refusal } from '../refusal.ts';

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

export interface StateKeeper {
  save(state: WatchState): Promise<void>;
}

/** Throws a Refusal for another watch's file. */
export async function openState(
  file: string,
  watched: string,
): Promise<{ readonly found: WatchState | undefined; readonly keeper: StateKeeper }> {
  const text = await readIfThere(file);
  const keeper = keepIn(file, text);
  if (text === undefined) return { found: undefined, keeper };
  const found = parseState(text);
  if (!found) throw new Refusal(`${file} is not a state file of a watch: choose another file with --state.`);
  if (found.watched !== watched)
    throw new Refusal(`${file} belongs to another watch (${found.watched}): choose another file with --state.`);
  return { found, keeper };
}

async function readIfThere(file: string): Promise<string | undefined> {
  return await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw new Refusal(`${file} cannot be read (${error.message}): choose another file with --state.`);
  });
}

/** Replaces the file atomically at each save, with mode 0600. */
function keepIn(file: string, begin: string | undefined): StateKeeper {
  let known = begin;
  return {
    async save(state) {
      const present = await readIfThere(file);
      if (present !== undefined && present !== known)
        throw new Refusal(
          `${file} is in use by another watch: stop one of the two, or choose another file with --state.`,
        );
      const next = `${file}.next`;
      known = `${JSON.stringify(state, undefined, 2)}\n`;
      await writeFile(next, known, { mode: 0o600 });
      await rename(next, file);
    },
  };
}

export const noStateKeeper: StateKeeper = { save: async () => undefined };

/** Parses a saved state. undefined for anything incomplete, since the state bounds the spending. */
function parseState(text: string): WatchState | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isState(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isState(value: unknown): value is WatchState {
  const { watched, since, dueAt, round, shown, rounds, spent } = fieldsOf<WatchState>(value);
  const { request, delivered, fresh } = fieldsOf<WatchState['spent']>(spent);
  return (
    typeof watched === 'string' &&
    isInstant(since) &&
    [dueAt, rounds, request, delivered, fresh].every(isCount) &&
    (round === undefined || isRound(round)) &&
    Array.isArray(shown) &&
    shown.every((one) => Array.isArray(one) && isCount(one[0]) && isInstant(one[1]))
  );
}

function isRound(value: unknown): boolean {
  const { key, since, limit, page, cursor, asOf } = fieldsOf<OpenRound>(value);
  return (
    isText(key) &&
    isInstant(since) &&
    [limit, page].every((one) => isCount(one) && one > 0) &&
    (cursor === undefined ? page === 1 : isText(cursor)) &&
    (asOf === undefined || isInstant(asOf))
  );
}

function fieldsOf<T>(value: unknown): { readonly [name in keyof T]?: unknown } {
  return typeof value === 'object' && value !== null ? value : {};
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function isInstant(value: unknown): boolean {
  return typeof value === 'string' && Number.isFinite(Date.parse(value));
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}
