import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { createLogger, type Logger } from '@ces/chassis/telemetry/log';

/** Warnings and errors of a service in this process; the test runner shows them when the test that was running fails. */
export function programLogger(service: string): Logger {
  return createLogger(service, process.env.CES_TEST_LOG ?? 'warn', { write: (line) => console.log(line.trimEnd()) });
}

/** Shows what a process prints, likewise. */
export function showOutput(...streams: (Readable | null)[]): void {
  for (const stream of streams) if (stream) createInterface({ input: stream }).on('line', (line) => console.log(line));
}
