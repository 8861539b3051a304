import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { createLogger } from '../telemetry/log.ts';
import { inSpan, traceparentOf } from '../telemetry/span.ts';
import { startTelemetry } from '../telemetry/start-telemetry.ts';
import type { TraceLine } from '../telemetry/trace-file.ts';
import { type BellQueue, startBroker } from './broker.ts';

const POLLING = { timeout: 10_000 };

let directory: string;
let telemetry: AsyncDisposable;

beforeAll(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'ces-bells-'));
  telemetry = startTelemetry('test', {
    otlpEndpoint: '',
    traceFile: path.join(directory, 'traces.jsonl'),
    traceRatio: 1,
    traceDelayMs: 10,
    logLevel: 'silent',
  });
});

afterAll(async () => {
  await telemetry[Symbol.asyncDispose]();
  await rm(directory, { recursive: true, force: true });
});

async function spansNamed(name: string): Promise<TraceLine[]> {
  const text = await readFile(path.join(directory, 'traces.jsonl'), 'utf8').catch(() => '');
  const spans = text.split('\n').filter(Boolean);
  return spans.map((line) => JSON.parse(line) as TraceLine).filter((span) => span.name === name);
}

test('a bell is answered in the trace of who rang it; its redelivery is a trace of its own that links there', async () => {
  await using broker = startBroker(inject('natsUrl'), 'bells test', createLogger('test', 'silent'));
  const queue: BellQueue = { stream: 'traced_bells', subject: 'traced.bells', consumer: 'workers', ackWaitMs: 2_000 };
  let heard = 0;
  await using _answering = broker.answer(queue, 1, async () => {
    heard += 1;
    return heard === 1 ? { kind: 'again', afterMs: 10 } : { kind: 'done' };
  });
  let rungIn = '';
  await inSpan('who rings', {}, async (span) => {
    rungIn = traceparentOf(span)?.split('-')[1] ?? '';
    await expect.poll(() => broker.ring(queue, Buffer.from('a'), 'a').then(() => 'rung', String), POLLING).toBe('rung');
  });
  await expect.poll(() => spansNamed('process traced.bells'), POLLING).toHaveLength(2);
  const [first, second] = await spansNamed('process traced.bells');
  const [sent] = (await spansNamed('send traced.bells')).slice(-1);
  expect(first).toMatchObject({ kind: 'consumer', trace_id: rungIn, parent_id: sent?.span_id, links: [] });
  expect(second?.trace_id).not.toBe(rungIn);
  expect(second?.links).toEqual([{ trace_id: rungIn, span_id: sent?.span_id }]);
});
