import { readFile } from 'node:fs/promises';

/**
 * Matches Postgres' log of a crashed backend and the statement that it ran. SIGKILL is excluded:
 * tests send it on purpose.
 */
const CRASH = /^.*was terminated by signal (?!9\b).*(?:\n.*DETAIL: .*(?:\n\t.*){0,20})?/m;

/**
 * Throws when a Postgres backend crashed. That ends all connections, so other failures may only be
 * its effect.
 */
export async function expectNoCrash(logFile: string): Promise<void> {
  const [crash] = CRASH.exec(await readFile(logFile, 'utf8')) ?? [];
  if (crash)
    throw new Error(`Postgres crashed, with all its connections; failures above may be of that alone: ${crash}`);
}
