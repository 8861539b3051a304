import { writeFile } from 'node:fs/promises';
import { Refusal } from '@ces/cli/refusal';
import { refusalOf } from '@ces/cli/rpc-refusal';

export interface Figures {
  readonly json: unknown;
  readonly text: string;
}

/**
 * Runs a benchmark and prints its figures. On failure prints one sentence and exits with code 1.
 * SIGINT and SIGTERM abort `signal`, so that it cleans up.
 */
export async function runBenchmark(
  measure: (signal: AbortSignal) => Promise<Figures>,
  jsonFile?: string,
): Promise<void> {
  const interrupted = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interrupted.abort());
  try {
    const { json, text } = await measure(interrupted.signal);
    process.stdout.write(`${text}\n`);
    if (jsonFile !== undefined) await writeFile(jsonFile, `${JSON.stringify(json, undefined, 2)}\n`);
  } catch (error) {
    process.stderr.write(`${interrupted.signal.aborted ? 'Interrupted.' : refusalOf(error).message}\n`);
    process.exitCode = 1;
  }
}

export function goOn(signal: AbortSignal): void {
  if (signal.aborted) throw new Refusal('Interrupted.');
}
