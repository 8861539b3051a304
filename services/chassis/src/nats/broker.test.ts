import { once } from 'node:events';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { expect, inject, test } from 'vitest';
import { createLogger } from '../telemetry/log.ts';
import { type MessageOutcome, startBroker, type WorkQueue } from './broker.ts';

const logger = createLogger('test', 'silent');

function queueNamed(name: string): WorkQueue {
  return { stream: `chassis_${name}`, subject: `chassis.${name}`, consumer: 'workers', ackWaitMs: 2_000 };
}

function startTestBroker() {
  return startBroker({ natsUrl: inject('natsUrl') }, 'chassis test', logger);
}

async function publishUntilConfirmed(broker: ReturnType<typeof startTestBroker>, queue: WorkQueue, text: string) {
  await expect
    .poll(() => broker.publish(queue, Buffer.from(text), text).then(() => 'published', String))
    .toBe('published');
}

test('a message is processed once, and delivered again when its handler asks for it', async () => {
  await using broker = startTestBroker();
  const queue = queueNamed('redelivered');
  const processed: string[] = [];
  await using _consuming = broker.consume(queue, 2, async (payload): Promise<MessageOutcome> => {
    processed.push(Buffer.from(payload).toString());
    return processed.length === 1 ? { kind: 'retry', afterMs: 10 } : { kind: 'done' };
  });
  await publishUntilConfirmed(broker, queue, 'a');
  await expect.poll(() => processed).toEqual(['a', 'a']);
});

test('a handler that throws loses nothing: the message is delivered again', async () => {
  await using broker = startTestBroker();
  const queue = queueNamed('throws');
  let calls = 0;
  await using _consuming = broker.consume(queue, 1, async () => {
    calls += 1;
    if (calls === 1) throw new Error('first time');
    return { kind: 'done' };
  });
  await publishUntilConfirmed(broker, queue, 'a');
  await expect.poll(() => calls).toBe(2);
});

test('a stream that is deleted is recreated, and its messages are processed', async () => {
  await using broker = startTestBroker();
  const queue = queueNamed('deleted');
  const processed: string[] = [];
  await using _consuming = broker.consume(queue, 1, async (payload) => {
    processed.push(Buffer.from(payload).toString());
    return { kind: 'done' };
  });
  await publishUntilConfirmed(broker, queue, 'before');
  await expect.poll(() => processed).toEqual(['before']);
  const connection = await connect({ servers: inject('natsUrl') });
  await (await jetstreamManager(connection)).streams.delete(queue.stream);
  await connection.close();
  await publishUntilConfirmed(broker, queue, 'after');
  await expect.poll(() => processed).toContain('after');
});

test('a stream of an earlier release accepts additional subjects', async () => {
  await using broker = startTestBroker();
  const narrow = queueNamed('widened');
  const queue = { ...narrow, subjects: [narrow.subject, `${narrow.subject}.*`] };
  const processed: string[] = [];
  const process = async (payload: Uint8Array) => {
    processed.push(Buffer.from(payload).toString());
    return { kind: 'done' } as const;
  };
  await using before = broker.consume(narrow, 1, process);
  await publishUntilConfirmed(broker, queue, 'before');
  await expect.poll(() => processed).toEqual(['before']);
  await before[Symbol.asyncDispose]();
  await using _consuming = broker.consume(queue, 1, process);
  const publish = () => broker.publish(queue, Buffer.from('a'), 'a', { subject: `${narrow.subject}.7` });
  await expect.poll(() => publish().then(() => 'published', String)).toBe('published');
  await expect.poll(() => processed).toEqual(['before', 'a']);
});

test('messages that are not requested stay in the stream, and can be read and removed', async () => {
  await using broker = startTestBroker();
  const queue = queueNamed('asked');
  const processed: string[] = [];
  let ready = () => {};
  const wanted = new Promise<void>((resolve) => {
    ready = resolve;
  });
  await using _consuming = broker.consume(
    queue,
    1,
    async (payload) => {
      processed.push(Buffer.from(payload).toString());
      return { kind: 'done' };
    },
    (signal) => Promise.race([wanted, once(signal, 'abort').then(() => undefined)]),
  );
  for (const text of ['a', 'b', 'c']) await publishUntilConfirmed(broker, queue, text);
  const textOf = async (sequence: number) => Buffer.from((await broker.read(queue, sequence)) ?? 'gone').toString();
  expect([await textOf(1), await textOf(2)]).toEqual(['a', 'b']);
  await broker.remove(queue, 2);
  await broker.remove(queue, 2);
  expect([await textOf(2), await textOf(9)]).toEqual(['gone', 'gone']);
  expect(processed).toEqual([]);
  ready();
  await expect.poll(() => processed).toEqual(['a', 'c']);
});

test('at most so many messages are processed at once', async () => {
  await using broker = startTestBroker();
  const queue = queueNamed('bounded');
  const waiting: (() => void)[] = [];
  let answered = 0;
  await using _consuming = broker.consume(queue, 2, async () => {
    await new Promise<void>((resolve) => waiting.push(resolve));
    answered += 1;
    return { kind: 'done' };
  });
  for (const text of ['1', '2', '3', '4']) await publishUntilConfirmed(broker, queue, text);
  await expect.poll(() => waiting.length).toBe(2);
  for (let done = 0; done < 4; done += 1) {
    await expect.poll(() => waiting.length).toBeGreaterThan(0);
    expect(waiting.length).toBeLessThanOrEqual(2);
    waiting.shift()?.();
    await expect.poll(() => answered).toBe(done + 1);
  }
});

test('subscribers are notified', async () => {
  await using broker = startTestBroker();
  const notified: string[] = [];
  using _subscription = broker.subscribe('chassis.ended.*', (_payload, subject) => notified.push(subject));
  await expect
    .poll(() => {
      broker.notify('chassis.ended.7');
      return notified.length;
    })
    .toBeGreaterThan(0);
  expect(notified[0]).toBe('chassis.ended.7');
});

test('without a server a broker starts, refuses to publish, and ends', async () => {
  await using broker = startBroker({ natsUrl: 'nats://127.0.0.1:1' }, 'chassis test', logger);
  expect(broker.isConnected()).toBe(false);
  await expect(broker.publish(queueNamed('none'), new Uint8Array(), 'x')).rejects.toThrow('not connected');
});

test('a consumer can stop although the broker was never reached', async () => {
  await using broker = startBroker({ natsUrl: 'nats://127.0.0.1:1' }, 'chassis test', logger);
  const consuming = broker.consume(queueNamed('never'), 1, async () => ({ kind: 'done' }));
  await consuming[Symbol.asyncDispose]();
  expect(broker.isConnected()).toBe(false);
});
