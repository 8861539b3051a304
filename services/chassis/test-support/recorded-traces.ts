import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { context, metrics, propagation, trace } from '@opentelemetry/api';
import { startTelemetry } from '../src/exporting/start-telemetry.ts';
import type { TraceLine } from '../src/telemetry/trace-file.ts';

/**
 * Records this process's spans until disposed. Create it before the tracers and instruments to be
 * recorded.
 */
export interface RecordedTraces extends AsyncDisposable {
  spans(): Promise<readonly TraceLine[]>;
}

export async function recordTraces(): Promise<RecordedTraces> {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'ces-traces-'));
  const traceFile = path.join(directory, 'traces.jsonl');
  const settings = { otlpEndpoint: '', traceFile, traceRatio: 1, traceDelayMs: 10, logLevel: 'silent' } as const;
  const telemetry = startTelemetry('test', settings);
  const spans: TraceLine[] = [];
  let bytesParsed = 0;
  return {
    async spans() {
      const content = await readFile(traceFile).catch(() => Buffer.alloc(0));
      // The last line may be incomplete.
      const end = content.lastIndexOf('\n') + 1;
      const lines = content.subarray(bytesParsed, end).toString().split('\n').slice(0, -1);
      bytesParsed = end;
      spans.push(...lines.map((line) => JSON.parse(line) as TraceLine));
      return spans;
    },
    async [Symbol.asyncDispose]() {
      await telemetry[Symbol.asyncDispose]();
      // Other test files share this process.
      for (const registered of [context, metrics, propagation, trace]) registered.disable();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
