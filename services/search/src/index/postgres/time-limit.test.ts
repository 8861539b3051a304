import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { observation } from '../../../test-support/documents.ts';
import { openPostgresIndex, type PostgresIndexUnderTest } from '../../../test-support/postgres-index.ts';

let subject: PostgresIndexUnderTest;
let blocker: pg.Client;

beforeAll(async () => {
  subject = await openPostgresIndex({ statementTimeoutMs: 300 });
  await subject.apply({ observations: [observation(1n, 1n, 'battery plant')] });
  blocker = new pg.Client({ connectionString: subject.database.ownerUrl });
  await blocker.connect();
});
afterAll(async () => {
  await blocker.end();
  await subject[Symbol.asyncDispose]();
});

async function waitingSince(after: string | undefined): Promise<string> {
  for (const deadline = performance.now() + 60_000; performance.now() < deadline; ) {
    const { rows } = await subject.pool.query<{ began: string }>(
      `select query_start::text as began from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and wait_event = 'relation'`,
    );
    const [waiting] = rows;
    if (waiting && waiting.began !== after) return waiting.began;
  }
  throw new Error('no ranking statement waited');
}

test('a statement that takes too long is tried once more, and the answer says that it was cut', async () => {
  await blocker.query('begin');
  await blocker.query('lock table entry in access exclusive mode');
  const ranking = subject.rank('battery');
  await waitingSince(await waitingSince(undefined));
  await blocker.query('rollback');
  const { hits, truncated } = await ranking;
  expect(truncated).toBe(true);
  expect(hits.map((hit) => hit.observationId)).toEqual([1n]);
});

test('a statement that takes too long twice is an outage, not an empty answer', async () => {
  await blocker.query('begin');
  await blocker.query('lock table entry in access exclusive mode');
  await expect(subject.rank('battery')).rejects.toMatchObject({ code: '57014' });
  await blocker.query('rollback');
  expect((await subject.rank('battery')).truncated).toBe(false);
});
