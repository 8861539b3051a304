import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { type RecordedTraces, recordTraces } from '../../test-support/recorded-traces.ts';
import { createLogger } from '../telemetry/log.ts';
import { inSpan, traceparentOf } from '../telemetry/span.ts';
import type { TraceLine } from '../telemetry/trace-file.ts';
import { startBroker, type WorkQueue } from './broker.ts';

const POLLING = { timeout: 60_000 };

let traces: RecordedTraces;

beforeAll(async () => {
  traces = await recordTraces();
});
afterAll(() => traces[Symbol.asyncDispose]());

async function spansNamed(name: string): Promise<TraceLine[]> {
  return (await traces.spans()).filter((span) => span.name === name);
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
