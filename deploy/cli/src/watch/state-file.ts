import { readFile, rename, writeFile } from 'node:fs/promises';
import { Refusal } from '../refusal.ts';
import { parseState } from './parse-state.ts';
import type { WatchState } from './state.ts';

/** Keeps the state of a watch through restarts, or for as long as the process lives. */
export interface StateKeeper {
  save(state: WatchState): Promise<void>;
}

/** The state that stands in a file, if there is one, and what keeps it there. Throws a Refusal for the file of another watch. */
export async function openState(
  file: string,
  watched: string,
): Promise<{ readonly found: WatchState | undefined; readonly keeper: StateKeeper }> {
  const text = await readIfThere(file);
  const keeper = keepIn(file, text);
  if (text === undefined) return { found: undefined, keeper };
  const found = parseState(text);
  if (!found) throw new Refusal(`${file} is not the state of a watch: name another file with --state.`);
  if (found.watched !== watched)
    throw new Refusal(`${file} is of another watch (${found.watched}): name another file with --state.`);
  return { found, keeper };
}

async function readIfThere(file: string): Promise<string | undefined> {
  return await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw new Refusal(`${file} cannot be read (${error.message}): name another one with --state.`);
  });
}

/** Writes the file anew each time, whole or not at all; its owner alone can read it. */
function keepIn(file: string, begin: string | undefined): StateKeeper {
  let known = begin;
  return {
    async save(state) {
      const present = await readIfThere(file);
      if (present !== undefined && present !== known)
        throw new Refusal(
          `${file} was written by another watch meanwhile: end one of the two, or name another file with --state.`,
        );
      const next = `${file}.next`;
      known = `${JSON.stringify(state, undefined, 2)}\n`;
      await writeFile(next, known, { mode: 0o600 });
      await rename(next, file);
    },
  };
}

export const keepNowhere: StateKeeper = { save: async () => undefined };
