import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { createLogger, type Logger } from '@ces/chassis/telemetry/log';

/**
 * Logs warnings and errors of an in-process service. The test runner shows them when a test fails.
 */
export function programLogger(service: string): Logger {
  return createLogger(service, process.env.CES_TEST_LOG ?? 'warn', { write: (line) => console.log(line.trimEnd()) });
}

export function showOutput(...streams: (Readable | null)[]): void {
  for (const stream of streams) if (stream) createInterface({ input: stream }).on('line', (line) => console.log(line));
}
