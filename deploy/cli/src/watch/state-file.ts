import { readFile, rename, writeFile } from 'node:fs/promises';
import { Refusal } from '../refusal.ts';
import { parseState } from './parse-state.ts';
import type { WatchState } from './state.ts';

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
