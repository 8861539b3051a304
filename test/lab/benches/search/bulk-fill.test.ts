import { createPool, type Pool } from '@ces/chassis/postgres/pool';
import { createLogger } from '@ces/chassis/telemetry/log';
import type { ObservationIndex } from '@ces/search/index/observation-index';
import { loadVocabulary } from '@ces/search/vocabulary/load-vocabulary';
import { createTestDatabase, type TestDatabase } from '@ces/test/support/database.ts';
import { expect, test } from 'vitest';
import { configureEngine, openIndex } from '../../support/search-engine.ts';
import { fillInBulk } from './bulk-fill.ts';
import { fill } from './fill.ts';
import { generateRecord } from './generated-record.ts';

const RECORD = generateRecord(300, new Date('2026-11-20T12:00:00Z'));
const AT_ONCE = 80;
/** Every table of an index, in an order that depends only on the rows. */
const STATE = {
  indexed: 'select * from indexed order by observation_id',
  entry: 'select entry.*, text::text from entry order by observation_id',
  company_doc: 'select company_doc.*, text::text from company_doc order by company_id',
  company_domain: 'select * from company_domain',
  corpus: 'select * from corpus order by name',
  feed: 'select * from feed',
  relations: `select relname, relkind, reloptions, indisvalid, inhparent::regclass::text as parent,
                     case when indexrelid is not null then pg_get_indexdef(indexrelid) end as definition
                from pg_class left join pg_index on indexrelid = pg_class.oid left join pg_inherits on inhrelid = pg_class.oid
               where relnamespace = 'public'::regnamespace order by relname`,
  triggers: 'select tgrelid::regclass::text as of, tgname, tgenabled from pg_trigger order by 1, 2',
};

interface Subject extends AsyncDisposable {
  readonly index: ObservationIndex;
  readonly pool: Pool;
  readonly ownerUrl: string;
}

async function openSubject(): Promise<Subject> {
  const database: TestDatabase = await createTestDatabase('search');
  const logger = createLogger('search', 'silent');
  const pool = createPool({ connectionString: database.url, max: 4, applicationName: 'search test', logger });
  const around = { databaseUrl: database.url, pool, vocabulary: loadVocabulary() };
  const { index, [Symbol.asyncDispose]: close } = await openIndex(await configureEngine('memory'), around);
  return {
    index,
    pool,
    ownerUrl: database.ownerUrl,
    async [Symbol.asyncDispose]() {
      await close();
      await pool.end();
      await database[Symbol.asyncDispose]();
    },
  };
}

const nothing = () => undefined;

test('a bulk fill leaves the rows, indexes, triggers and position that a fill by apply leaves', async () => {
  await using applied = await openSubject();
  await using copied = await openSubject();
  await fill(applied.index, RECORD, nothing);
  await fillInBulk(copied, RECORD, nothing, AT_ONCE);
  for (const [name, query] of Object.entries(STATE)) {
    const { rows } = await applied.pool.query(query);
    expect((await copied.pool.query(query)).rows, name).toEqual(rows);
  }
  expect(await copied.index.size()).toMatchObject({ observations: 300n, companies: 15n });
});

test('a full index is filled no second time, in bulk or by apply', async () => {
  await using subject = await openSubject();
  await fillInBulk(subject, RECORD, nothing, AT_ONCE);
  expect(await fillInBulk(subject, RECORD, nothing, AT_ONCE)).toEqual(new Map());
  expect(await fill(subject.index, RECORD, nothing)).toMatchObject({ observations: 0 });
});

test('memory indexes of processes learn that all of it is new', async () => {
  await using subject = await openSubject();
  await fillInBulk(subject, RECORD, nothing, AT_ONCE);
  const { rows } = await subject.pool.query(
    'select version, exists(select from index_change where index_change.version = index_version.version) as noted from index_version',
  );
  expect(rows).toEqual([{ version: 1n, noted: false }]);
});

/* Vacuum retries for one minute, then reports the remaining tables. */
test('rows of a bulk fill are known to be visible to all, even if a transaction from before is open for a while', async () => {
  await using subject = await openSubject();
  const other = await subject.pool.connect();
  await other.query('begin isolation level repeatable read');
  await other.query('select');
  let ended: Promise<unknown> | undefined;
  await fillInBulk(
    subject,
    RECORD,
    (share, phase) => {
      if (phase === 'vacuum' && share === 1) ended ??= other.query('commit');
    },
    AT_ONCE,
  );
  await ended;
  other.release();
  const { rows } = await subject.pool.query(
    `select relname, relpages, relallvisible from pg_class
      where relkind = 'r' and relname ~ '^(entry|indexed$|company_doc$)' and relpages > 0 and relpages <> relallvisible`,
  );
  expect(rows).toEqual([]);
});

test('no index but those of keys is there while rows are written', async () => {
  await using subject = await openSubject();
  const seen: Promise<unknown>[] = [];
  const look = (share: number, phase: string) => {
    if (phase !== 'vacuum' || share > 0) return;
    seen.push(
      subject.pool
        .query(`select indexrelid::regclass::text as name from pg_index
      where indrelid::regclass::text ~ '^(entry|indexed$|company_doc$)' and not indisprimary`)
        .then(({ rows }) => rows),
    );
  };
  await fillInBulk(subject, RECORD, look, AT_ONCE);
  expect(await Promise.all(seen)).toEqual([[]]);
});

test.for(['rows', 'indexes', 'statistics'])('a bulk fill that was broken off at its %s is refused', async (phase) => {
  await using subject = await openSubject();
  const breakOff = (_share: number, at: string) => {
    if (at === phase) throw new Error('broken off');
  };
  await expect(fillInBulk(subject, RECORD, breakOff, AT_ONCE)).rejects.toThrow('broken off');
  await expect(fillInBulk(subject, RECORD, nothing, AT_ONCE)).rejects.toThrow('start anew');
});

test('an index that apply has begun to fill is left to it', async () => {
  await using subject = await openSubject();
  await fill(subject.index, RECORD, nothing);
  const larger = generateRecord(3_000, RECORD.now);
  await expect(fillInBulk(subject, larger, nothing, AT_ONCE)).rejects.toThrow('without --bulk');
});
