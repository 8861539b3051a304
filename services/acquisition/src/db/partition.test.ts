import { createPool, type Pool } from '@ces/chassis/postgres/pool';
import { createLogger } from '@ces/chassis/telemetry/log';
import { createTestDatabase } from '@ces/test/support/database.ts';
import { afterAll, expect, test } from 'vitest';
import { createPartitions } from './partition.ts';
import { countRawRecords, type KeptRecord, keepRawRecords, readRawRecords, sha256 } from './raw-record.ts';

const logger = createLogger('test', 'silent');
const cleanup = new AsyncDisposableStack();
afterAll(() => cleanup.disposeAsync());

test('a record is kept once, whatever the month, and found in any', async () => {
  const { pool, owner } = await open(await createTestDatabase('acquisition'));
  const [now, before] = [new Date(), new Date('2019-03-04T00:00:00Z')];
  const next = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 2, 1));
  const [made] = await createPartitions(pool);
  const [found] = await createPartitions(pool);
  expect(found?.left).toBeCloseTo(made?.left ?? 0, 2);
  expect(found?.left).toBeGreaterThan(59);
  const keep = (fetchedAt: Date, ...texts: string[]) =>
    keepRawRecords(pool, { source: 's', documentUri: 'https://s.example/', fetchedAt }, texts.map(kept));
  expect(await keep(before, 'a', 'b')).toMatchObject({ added: 2 });
  expect(await keep(now, 'a', 'c')).toMatchObject({ added: 1 });
  expect(await keep(next, 'b', 'c', 'd')).toMatchObject({ added: 1 });
  const far = new Date('2099-01-01T00:00:00Z');
  expect(await keep(far, 'd', 'e')).toMatchObject({ added: 1 });
  expect(await partitions(owner)).toEqual([
    { partition: monthOf(now), rows: 1n },
    { partition: monthOf(next), rows: 1n },
    { partition: 'raw_record_default', rows: 3n },
  ]);
  const wanted = ['a', 'b', 'c', 'd', 'e', 'f'].map((text) => ({ source: 's', hash: sha256(text) }));
  expect((await readRawRecords(pool, wanted)).map((one) => one.content).toSorted()).toEqual(['a', 'b', 'c', 'd', 'e']);
  expect(await countRawRecords(pool)).toEqual(new Map([['s', 5n]]));
  const { rows } = await owner.query('select last_seen_at from kept_record where hash = $1', [sha256('b')]);
  expect(rows).toEqual([{ last_seen_at: next }]);
});

test('two that keep the same records at once keep each once', async () => {
  const { pool } = await open(await createTestDatabase('acquisition'));
  const texts = Array.from({ length: 200 }, (_, n) => kept(`text ${n}`));
  const added = await Promise.all(
    [texts, texts.toReversed(), texts].map((records, day) =>
      keepRawRecords(pool, { source: 's', documentUri: '', fetchedAt: new Date(Date.UTC(2026, 1, 1 + day)) }, records),
    ),
  );
  expect(added.reduce((sum, one) => sum + one.added, 0)).toBe(200);
  expect(await countRawRecords(pool)).toEqual(new Map([['s', 200n]]));
});

test('the role of the service makes no table but those, and changes no record', async () => {
  const { pool } = await open(await createTestDatabase('acquisition'));
  expect(await createPartitions(pool)).toEqual([{ name: 'raw_record', left: expect.any(Number) }]);
  for (const statement of [
    'delete from raw_record',
    `update raw_record set content = ''`,
    'select from raw_record_default',
  ])
    await expect(pool.query(statement)).rejects.toThrow('permission denied');
});

async function open(database: Awaited<ReturnType<typeof createTestDatabase>>): Promise<{ pool: Pool; owner: Pool }> {
  cleanup.use(database);
  const [pool, owner] = [database.url, database.ownerUrl].map((connectionString) =>
    createPool({ connectionString, max: 4, applicationName: 'test', logger }),
  ) as [Pool, Pool];
  cleanup.defer(() => pool.end());
  cleanup.defer(() => owner.end());
  return { pool, owner };
}

function kept(text: string): KeptRecord {
  return {
    hash: sha256(text),
    key: text,
    uri: '',
    content: text,
    fields: [],
    extractorVersion: 1,
    textHash: undefined,
  };
}

function monthOf(day: Date): string {
  return `raw_record_${day.toISOString().slice(0, 7).replace('-', '_')}`;
}

async function partitions(owner: Pool): Promise<{ partition: string; rows: bigint }[]> {
  const { rows } = await owner.query<{ partition: string; rows: bigint }>(
    `select tableoid::regclass::text as partition, count(*) as rows from raw_record group by 1`,
  );
  return rows.sort((a, b) => (a.partition < b.partition ? -1 : 1));
}
