import { create } from '@bufbuild/protobuf';
import { createPool, inTransaction, type Pool } from '@ces/chassis/postgres/pool';
import { createLogger } from '@ces/chassis/telemetry/log';
import { type ChangePosition, ChangePositionSchema } from '@ces/proto/ces/lookup/v1/record_pb.ts';
import { createTestDatabase, type TestDatabase } from '@ces/test/support/database.ts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { FeedRange } from '../observation-index.ts';
import { advanceFeed, beginRebuild, endRebuild, type FeedTable, readFeed, restartFeed } from './feed.ts';

let database: TestDatabase;
let pool: Pool;
beforeEach(async () => {
  database = await createTestDatabase('search');
  const logger = createLogger('search', 'silent');
  pool = createPool({ connectionString: database.url, max: 3, applicationName: 'search test', pipeline: true, logger });
});
afterEach(async () => {
  await pool.end();
  await database[Symbol.asyncDispose]();
});

test('both tables have the same columns, but for what an engine keeps of its own', async () => {
  const { rows } = await pool.query<{ columns: string[] }>(
    `select array_agg(concat_ws(' ', column_name, data_type, is_nullable, column_default) order by column_name) as columns
       from information_schema.columns where table_name in ('feed', 'opensearch_feed')
        and column_name not in ('kept_from', 'rebuild_kept_from', 'vector_model', 'vector_version')
       group by table_name`,
  );
  expect(rows).toHaveLength(2);
  expect(rows[0]).toEqual(rows[1]);
});

describe.each<FeedTable>(['feed', 'opensearch_feed'])('the feed in %s', (table) => {
  test('is where it was left, and the other one where it was', async () => {
    await advanceFeed(pool, table, live(undefined, 5n), 1n);
    expect(await readFeed(pool, table)).toMatchObject({ live: at(5n), complete: true, outdated: false, generation: 1 });
    expect(await readFeed(pool, table === 'feed' ? 'opensearch_feed' : 'feed')).toMatchObject({ live: undefined });
  });

  test('is moved by no reader that another has overtaken or followed', async () => {
    await advanceFeed(pool, table, live(undefined, 5n), 2n);
    await expect(advanceFeed(pool, table, live(undefined, 9n), 2n)).rejects.toThrow('moved');
    await expect(advanceFeed(pool, table, live(5n, 9n), 1n)).rejects.toThrow('moved');
    expect(await restartFeed(pool, table, at(5n), at(3n), 1n)).toBe(false);
    expect(await readFeed(pool, table)).toMatchObject({ live: at(5n), rebuilding: false });
  });

  test('is set back to where a rebuild has ended, by the reader that leads', async () => {
    await advanceFeed(pool, table, live(undefined, 5n), 2n);
    expect(await beginRebuild(pool, table)).toBe(true);
    expect(await beginRebuild(pool, table)).toBe(false);
    expect(await advanceFeed(pool, table, { ...live(undefined, 3n), feed: 'rebuild' }, 2n)).toBe(2);
    expect(await endRebuild(pool, table, 1n)).toBeUndefined();
    expect(await endRebuild(pool, table, 2n)).toBe(2);
    expect(await endRebuild(pool, table, 2n)).toBeUndefined();
    expect(await readFeed(pool, table)).toMatchObject({ live: at(3n), rebuilding: false, generation: 2 });
  });

  test('goes on in a new history with a rebuild', async () => {
    await advanceFeed(pool, table, live(undefined, 5n), 1n);
    expect(await restartFeed(pool, table, at(5n), at(2n), 1n)).toBe(true);
    expect(await readFeed(pool, table)).toMatchObject({
      live: at(2n),
      rebuilding: true,
      rebuild: undefined,
      generation: 2,
    });
  });

  test('is outdated where an earlier version has analysed the texts, until a rebuild', async () => {
    await advanceFeed(pool, table, live(undefined, 5n), 1n);
    await pool.query(`update ${table} set analysis_version = null`);
    expect((await readFeed(pool, table)).outdated).toBe(true);
    await beginRebuild(pool, table);
    await advanceFeed(pool, table, { ...live(undefined, 5n), feed: 'rebuild' }, 1n);
    expect((await readFeed(pool, table)).outdated).toBe(true);
    await endRebuild(pool, table, 1n);
    expect((await readFeed(pool, table)).outdated).toBe(false);
  });

  test('stays locked until the transaction that ends a rebuild is over', async () => {
    await advanceFeed(pool, table, live(undefined, 5n), 1n);
    await beginRebuild(pool, table);
    await advanceFeed(pool, table, { ...live(undefined, 5n), feed: 'rebuild' }, 1n);
    const order: string[] = [];
    let advancing: Promise<unknown> | undefined;
    await inTransaction(pool, async (client) => {
      await endRebuild(client, table, 1n);
      advancing = advanceFeed(pool, table, live(5n, 6n), 1n).then(() => order.push('advanced'));
      await expect.poll(() => waiting()).toBe(1);
      order.push('ended');
    });
    await advancing;
    expect(order).toEqual(['ended', 'advanced']);
  });
});

function live(from: bigint | undefined, to: bigint): FeedRange {
  return { feed: 'live', from: from === undefined ? undefined : at(from), to: at(to), complete: true };
}

function at(tx: bigint): ChangePosition {
  return create(ChangePositionSchema, { tx, seq: 1n, epoch: 'first' });
}

async function waiting(): Promise<number> {
  const { rows } = await pool.query<{ waiting: number }>(
    `select count(*)::integer as waiting from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return rows[0]?.waiting ?? 0;
}
