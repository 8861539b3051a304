import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { expect, inject, test } from 'vitest';
import { createLogger } from '../telemetry/log.ts';
import { type BellOutcome, type BellQueue, startBroker } from './broker.ts';

const logger = createLogger('test', 'silent');

function queueNamed(name: string): BellQueue {
  return { stream: `chassis_${name}`, subject: `chassis.${name}`, consumer: 'workers', ackWaitMs: 2_000 };
}

function startTestBroker() {
  return startBroker(inject('natsUrl'), 'chassis test', logger);
}

async function ringUntilConfirmed(broker: ReturnType<typeof startTestBroker>, queue: BellQueue, text: string) {
  await expect
    .poll(() => broker.ring(queue, Buffer.from(text), text).then(() => 'rung', String), { timeout: 10_000 })
    .toBe('rung');
}

test('a bell is answered once, and rings again when it asks to', async () => {
  await using broker = startTestBroker();
  const queue = queueNamed('again');
  const heard: string[] = [];
  await using _answering = broker.answer(queue, 2, async (payload): Promise<BellOutcome> => {
    heard.push(Buffer.from(payload).toString());
    return heard.length === 1 ? { kind: 'again', afterMs: 10 } : { kind: 'done' };
  });
  await ringUntilConfirmed(broker, queue, 'a');
  await expect.poll(() => heard).toEqual(['a', 'a']);
});

test('a handler that throws loses nothing: the bell rings again', async () => {
  await using broker = startTestBroker();
  const queue = queueNamed('throws');
  let calls = 0;
  await using _answering = broker.answer(queue, 1, async () => {
    calls += 1;
    if (calls === 1) throw new Error('first time');
    return { kind: 'done' };
  });
  await ringUntilConfirmed(broker, queue, 'a');
  await expect.poll(() => calls, { timeout: 5_000 }).toBe(2);
});

test('a stream that is deleted is made anew, and bells are heard again', async () => {
  await using broker = startTestBroker();
  const queue = queueNamed('deleted');
  const heard: string[] = [];
  await using _answering = broker.answer(queue, 1, async (payload) => {
    heard.push(Buffer.from(payload).toString());
    return { kind: 'done' };
  });
  await ringUntilConfirmed(broker, queue, 'before');
  await expect.poll(() => heard).toEqual(['before']);
  const connection = await connect({ servers: inject('natsUrl') });
  await (await jetstreamManager(connection)).streams.delete(queue.stream);
  await connection.close();
  await ringUntilConfirmed(broker, queue, 'after');
  await expect.poll(() => heard, { timeout: 15_000 }).toContain('after');
});

test('at most so many bells are worked on at once', async () => {
  await using broker = startTestBroker();
  const queue = queueNamed('bounded');
  const waiting: (() => void)[] = [];
  let answered = 0;
  await using _answering = broker.answer(queue, 2, async () => {
    await new Promise<void>((resolve) => waiting.push(resolve));
    answered += 1;
    return { kind: 'done' };
  });
  for (const text of ['1', '2', '3', '4']) await ringUntilConfirmed(broker, queue, text);
  await expect.poll(() => waiting.length).toBe(2);
  for (let done = 0; done < 4; done += 1) {
    await expect.poll(() => waiting.length).toBeGreaterThan(0);
    expect(waiting.length).toBeLessThanOrEqual(2);
    waiting.shift()?.();
    await expect.poll(() => answered).toBe(done + 1);
  }
});

test('who listens is told', async () => {
  await using broker = startTestBroker();
  const told: string[] = [];
  using _listening = broker.listen('chassis.told.*', (_payload, subject) => told.push(subject));
  await expect
    .poll(() => {
      broker.tell('chassis.told.7');
      return told.length;
    })
    .toBeGreaterThan(0);
  expect(told[0]).toBe('chassis.told.7');
});

test('without a server a broker starts, refuses to ring, and ends', async () => {
  await using broker = startBroker('nats://127.0.0.1:1', 'chassis test', logger);
  expect(broker.isConnected()).toBe(false);
  await expect(broker.ring(queueNamed('none'), new Uint8Array(), 'x')).rejects.toThrow('not connected');
});

test('who answers bells can stop although the broker was never reached', async () => {
  await using broker = startBroker('nats://127.0.0.1:1', 'chassis test', logger);
  const answering = broker.answer(queueNamed('never'), 1, async () => ({ kind: 'done' }));
  await answering[Symbol.asyncDispose]();
  expect(broker.isConnected()).toBe(false);
});
