import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { TraceLine } from '@ces/chassis/telemetry/trace-file';
import { Refusal } from '../refusal.ts';

export async function readTraces(file: string, id: string): Promise<TraceLine[][]> {
  const traceId = await findTrace(file, id);
  const found = new Map<string, TraceLine[]>([[traceId, []]]);
  const links = new Set([traceId]);
  await eachLine(file, (text) => {
    if (!text.includes(traceId)) return;
    const line = JSON.parse(text) as TraceLine;
    for (const link of line.links) if (link.trace_id === traceId) links.add(line.trace_id);
  });
  await eachLine(file, (text) => {
    const line = JSON.parse(text) as TraceLine;
    if (!links.has(line.trace_id)) return;
    const spans = found.get(line.trace_id) ?? [];
    spans.push(line);
    found.set(line.trace_id, spans);
  });
  return [...found.values()];
}

async function findTrace(file: string, id: string): Promise<string> {
  let found: TraceLine | undefined;
  await eachLine(file, (text) => {
    if (!text.includes(id)) return;
    const line = JSON.parse(text) as TraceLine;
    const { 'ces.operation_id': operation, 'ces.request_id': request } = line.attributes;
    const matches = line.trace_id === id || operation === id || request === id;
    if (matches && (!found || line.start_ms < found.start_ms)) found = line;
  });
  if (found) return found.trace_id;
  throw new Refusal(
    `No trace of ${id} in ${file}: give an operation id, X-Request-Id or trace id of a call since the start, a second after the call.`,
  );
}

async function eachLine(file: string, use: (line: string) => void): Promise<void> {
  const lines = createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY });
  try {
    for await (const line of lines) if (line.endsWith('}')) use(line);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    throw new Refusal(`${file} does not exist: start the stack with npm start -- --trace.`);
  }
}
