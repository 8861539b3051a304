import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { context, metrics, propagation, trace } from '@opentelemetry/api';
import { startTelemetry } from '../src/telemetry/start-telemetry.ts';
import type { TraceLine } from '../src/telemetry/trace-file.ts';

/** Every span of this process from now until it is disposed; to be made before the tracers and instruments that it is to see. */
export interface RecordedTraces extends AsyncDisposable {
  /** The spans that have ended. */
  spans(): Promise<TraceLine[]>;
}

export async function recordTraces(): Promise<RecordedTraces> {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'ces-traces-'));
  const traceFile = path.join(directory, 'traces.jsonl');
  const settings = { otlpEndpoint: '', traceFile, traceRatio: 1, traceDelayMs: 10, logLevel: 'silent' } as const;
  const telemetry = startTelemetry('test', settings);
  return {
    async spans() {
      const text = await readFile(traceFile, 'utf8').catch(() => '');
      // The last line may be half written.
      return text
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line) as TraceLine);
    },
    async [Symbol.asyncDispose]() {
      await telemetry[Symbol.asyncDispose]();
      // Other files run in this process.
      for (const registered of [context, metrics, propagation, trace]) registered.disable();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
