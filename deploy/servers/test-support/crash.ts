import { readFile } from 'node:fs/promises';

/** What Postgres writes when a process of it has ended by a fault, and the statement that it ran. SIGKILL is somebody's who wanted that. */
const CRASH = /^.*was terminated by signal (?!9\b).*(?:\n.*DETAIL: .*(?:\n\t.*){0,20})?/m;

/** Throws when a process of Postgres has crashed, which loses every connection of it: failures around it may be of that alone. */
export async function expectNoCrash(logFile: string): Promise<void> {
  const [crash] = CRASH.exec(await readFile(logFile, 'utf8')) ?? [];
  if (crash)
    throw new Error(`Postgres crashed, with all its connections; failures above may be of that alone: ${crash}`);
}
