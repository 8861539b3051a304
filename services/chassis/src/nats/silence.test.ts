import { startProxy } from '@ces/test/support/faulty-proxy.ts';
import { seeded } from '@ces/test/support/random.ts';
import { expect, inject, test } from 'vitest';
import { createLogger } from '../telemetry/log.ts';
import { type MessageOutcome, startBroker } from './broker.ts';

const WITHIN = { timeout: 60_000, interval: 250 };

test('a broker whose connection has silently died is reached by another, to publish and to consume', async () => {
  const { port } = new URL(inject('natsUrl'));
  await using proxy = await startProxy(Number(port), seeded('silence'));
  await using broker = startBroker(
    { natsUrl: `nats://127.0.0.1:${proxy.port}` },
    'silence',
    createLogger('test', 'silent'),
  );
  const queue = { stream: 'silence', subject: 'silence', consumer: 'workers', ackWaitMs: 2_000 };
  const processed: string[] = [];
  await using _consuming = broker.consume(queue, 1, async (payload): Promise<MessageOutcome> => {
    processed.push(Buffer.from(payload).toString());
    return { kind: 'done' };
  });
  const notified: string[] = [];
  using _subscribed = broker.subscribe(
    'silence.told',
    (payload) => void notified.push(Buffer.from(payload).toString()),
  );
  const publish = (text: string) =>
    broker.publish(queue, Buffer.from(text), text).then(
      () => true,
      () => false,
    );
  await expect.poll(() => publish('before'), WITHIN).toBe(true);
  await expect.poll(() => processed, WITHIN).toContain('before');
  proxy.fault = { kind: 'lost' };
  expect(await publish('lost')).toBe(false);
  await expect.poll(() => publish('after'), WITHIN).toBe(true);
  await expect.poll(() => processed, WITHIN).toContain('after');
  broker.notify('silence.told', Buffer.from('told'));
  await expect.poll(() => notified, WITHIN).toEqual(['told']);
});
