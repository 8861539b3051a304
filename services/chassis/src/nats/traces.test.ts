import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { context, metrics, propagation, trace } from '@opentelemetry/api';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { createLogger } from '../telemetry/log.ts';
import { inSpan, traceparentOf } from '../telemetry/span.ts';
import { startTelemetry } from '../telemetry/start-telemetry.ts';
import type { TraceLine } from '../telemetry/trace-file.ts';
import { startBroker, type WorkQueue } from './broker.ts';

const POLLING = { timeout: 10_000 };

let directory: string;
let telemetry: AsyncDisposable;

beforeAll(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'ces-messages-'));
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
  // Other files run in this process.
  for (const registered of [context, metrics, propagation, trace]) registered.disable();
  await rm(directory, { recursive: true, force: true });
});

async function spansNamed(name: string): Promise<TraceLine[]> {
  const text = await readFile(path.join(directory, 'traces.jsonl'), 'utf8').catch(() => '');
  const spans = text.split('\n').filter(Boolean);
  return spans.map((line) => JSON.parse(line) as TraceLine).filter((span) => span.name === name);
}

test('a message is processed in the trace of its publisher; its redelivery is a trace of its own that links there', async () => {
  await using broker = startBroker({ natsUrl: inject('natsUrl') }, 'traces test', createLogger('test', 'silent'));
  const queue: WorkQueue = {
    stream: 'traced_messages',
    subject: 'traced.messages',
    consumer: 'workers',
    ackWaitMs: 2_000,
  };
  let processed = 0;
  await using _consuming = broker.consume(queue, 1, async () => {
    processed += 1;
    return processed === 1 ? { kind: 'retry', afterMs: 10 } : { kind: 'done' };
  });
  let publishedIn = '';
  await inSpan('publisher', {}, async (span) => {
    publishedIn = traceparentOf(span)?.split('-')[1] ?? '';
    await expect
      .poll(() => broker.publish(queue, Buffer.from('a'), 'a').then(() => 'published', String), POLLING)
      .toBe('published');
  });
  await expect.poll(() => spansNamed('process traced.messages'), POLLING).toHaveLength(2);
  const [first, second] = await spansNamed('process traced.messages');
  const [sent] = (await spansNamed('send traced.messages')).slice(-1);
  expect(first).toMatchObject({ kind: 'consumer', trace_id: publishedIn, parent_id: sent?.span_id, links: [] });
  expect(second?.trace_id).not.toBe(publishedIn);
  expect(second?.links).toEqual([{ trace_id: publishedIn, span_id: sent?.span_id }]);
});
