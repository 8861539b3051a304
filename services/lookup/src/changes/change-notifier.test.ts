import { fromBinary } from '@bufbuild/protobuf';
import { type Broker, startBroker } from '@ces/chassis/nats/broker';
import { createLogger } from '@ces/chassis/telemetry/log';
import { EvidenceChangedSchema } from '@ces/proto/ces/events/v1/events_pb.ts';
import { evidenceQueue } from '@ces/proto/streams';
import { expect, inject, test } from 'vitest';
import { aCompany, recordCompanies } from '../../test-support/records.ts';
import { startLookup } from '../../test-support/started-lookup.ts';
import { createChangeNotifier } from './change-notifier.ts';

const logger = createLogger('test', 'silent');

test('a write publishes a notification with its transaction', async () => {
  const prefix = `notify_${crypto.randomUUID().slice(0, 8)}`;
  await using broker = startBroker({ natsUrl: inject('natsUrl') }, 'test', logger);
  const received: string[] = [];
  await using _consumer = broker.consume(evidenceQueue(prefix), 1, async (payload) => {
    received.push(fromBinary(EvidenceChangedSchema, payload).tx);
    return { kind: 'done' };
  });
  await using service = await startLookup(prefix);
  const sent: string[] = [];
  await expect
    .poll(
      async () => {
        const companies = [aCompany(`notified ${sent.length}`)];
        const { tx } = await service.record.recordCompanies({ source: 's', companies });
        sent.push(String(tx));
        return received.length;
      },
      { timeout: 60_000, interval: 50 },
    )
    .toBeGreaterThan(0);
  expect(sent).toContain(received[0]);
});

test('writing goes on while no reader consumes the notifications', async () => {
  await using service = await startLookup();
  await expect(recordCompanies(service, [aCompany('a')])).resolves.toHaveLength(1);
});

test('notifications that come while one is on its way share the next, with the latest transaction', async () => {
  const published: string[] = [];
  const waiting: (() => void)[] = [];
  const broker: Pick<Broker, 'publish'> = {
    publish: (_queue, payload) => {
      published.push(fromBinary(EvidenceChangedSchema, payload).tx);
      return new Promise((resolve) => waiting.push(() => resolve(1)));
    },
  };
  const notifier = createChangeNotifier(broker as Broker, evidenceQueue('x'), logger);
  for (const tx of [1n, 2n, 4n, 3n]) notifier.notify(tx);
  expect(published).toEqual(['1']);
  waiting[0]?.();
  await expect.poll(() => published).toEqual(['1', '4']);
});
