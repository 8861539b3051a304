import { createLogger } from '@ces/chassis/telemetry/log';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  aCompany,
  anObservation,
  aPassage,
  hashOf,
  isDelivered,
  recordCompanies,
  recordObservation,
  untilReadable,
} from '../../test-support/records.ts';
import { type StartedLookup, startLookup } from '../../test-support/started-lookup.ts';
import { createPartitions, startRangePartitionKeeper } from './partition.ts';

const RANGE = 2n ** 26n;
let service: StartedLookup;

beforeEach(async () => {
  service = await startLookup();
  await recordCompanies(service, [aCompany('a', { hostnames: ['a.example'] })]);
});
afterEach(() => service[Symbol.asyncDispose]());

test('an answer, a repeated record, a withdrawal and the change feed go over all partitions', async () => {
  const first = await recordObservation(service, anObservation('first', 'a'));
  await skipTo(3n);
  await createPartitions(service.pool);
  const later = await recordObservation(service, anObservation('later', 'a'));
  expect(await partitionsOf('observation')).toEqual(['observation_0', 'observation_3']);
  expect(await partitionsOf('evidence')).toEqual(['evidence_0', 'evidence_3']);
  expect(await partitionsOf('change')).toEqual(['change_0', 'change_3']);

  const amended = { evidence: [aPassage('Excerpt of later.'), aPassage('One more.')], contentHash: hashOf('amended') };
  await recordObservation(service, anObservation('later', 'a', amended));
  const shown = async () =>
    (await service.lookup.lookUpCompanies({ domains: ['a.example'] })).companies[0]?.observations.map((one) => [
      one.id,
      one.evidence.length,
    ]);
  expect(await shown()).toEqual([
    [first, 1],
    [later, 2],
  ]);
  await service.record.withdrawEvidence({ observationId: first, reason: 'wrong' });
  expect(await shown()).toEqual([[later, 2]]);
  await untilReadable(service);
  const { changes } = await service.lookup.listChanges({ limit: 5_000 });
  expect(changes.map((change) => change.seq)).toEqual(
    changes.map((change) => change.seq).toSorted((a, b) => Number(a - b)),
  );
  expect(new Set(changes.map((change) => change.observationId))).toEqual(new Set([0n, first, later]));
});

test('a row that no partition was made for is kept, found and changed as any other', async () => {
  await skipTo(9n);
  const id = await recordObservation(service, anObservation('far', 'a'));
  expect(await partitionsOf('observation')).toEqual(['observation_default']);
  expect(await isDelivered(service, id)).toBe(true);
  await service.record.withdrawEvidence({ observationId: id, reason: 'wrong' });
  expect(await isDelivered(service, id)).toBe(false);
});

test('a range of which rows came before its partition stays where they went, and the next one gets its own', async () => {
  await skipTo(9n);
  await recordObservation(service, anObservation('strayed', 'a'));
  const left = async () => (await createPartitions(service.pool)).map((table) => table.left);
  expect(Math.min(...(await left()))).toBeGreaterThan(Number(RANGE));
  await skipTo(10n);
  await recordObservation(service, anObservation('next', 'a'));
  expect(await partitionsOf('observation')).toEqual(['observation_10', 'observation_default']);
  expect(await partitionsOf('change')).toEqual(['change_0', 'change_10', 'change_default']);
});

test('every process makes partitions at its start and later, and two at once make each once', async () => {
  await skipTo(5n);
  const logger = createLogger('test', 'silent');
  const keepers = [1, 2].map(() => startRangePartitionKeeper(service.pool, logger));
  await expect
    .poll(async () => (await createPartitions(service.pool)).map((table) => table.left))
    .toEqual(Array.from({ length: 3 }, () => expect.toSatisfy((left: number) => left > Number(RANGE))));
  for (const keeper of keepers) await keeper[Symbol.asyncDispose]();
});

test('creating partitions gives way to a long transaction instead of making others wait', async () => {
  await skipTo(5n);
  const user = await service.owner.connect();
  await user.query('begin');
  await user.query('select from observation limit 1');
  await expect(createPartitions(service.pool)).rejects.toThrow('lock timeout');
  await user.query('rollback');
  user.release();
  await expect(createPartitions(service.pool)).resolves.toHaveLength(3);
});

test('the role of the service makes no table but those', async () => {
  await expect(service.pool.query('create table observation_1 partition of observation default')).rejects.toThrow();
  await expect(service.pool.query('select from observation_0')).rejects.toThrow('permission denied');
});

async function skipTo(partition: bigint): Promise<void> {
  await service.owner.query(`select setval('observation_id_seq', $1), setval('change_seq_seq', $1)`, [
    partition * RANGE,
  ]);
}

async function partitionsOf(table: string): Promise<string[]> {
  const { rows } = await service.owner.query<{ partition: string }>(
    `select distinct tableoid::regclass::text as partition from ${table} order by 1`,
  );
  return rows.map((row) => row.partition);
}
