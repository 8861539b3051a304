import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createTestDatabase } from '@ces/test/support/database.ts';
import { from } from 'pg-copy-streams';
import { expect, test } from 'vitest';
import { openSession } from './bulk-sessions.ts';
import { vacuumTables } from './bulk-vacuum.ts';

const ROWS = Array.from({ length: 1_003 }, (_, n) => `${n} ${'x'.repeat(200 + (n % 700))}\n`);

/*
 * Vacuum cannot truncate pages if another session wrote later ones. The table option reproduces
 * that.
 */
test('pages that `copy` took and left empty keep no table from being known as visible', async () => {
  await using database = await createTestDatabase('search');
  await using session = await openSession(database.ownerUrl, { synchronous_commit: 'on' });
  const { client } = session;
  await client.query('create table copied (words text) with (vacuum_truncate = off)');
  for (let times = 0; times < 3; times += 1)
    await pipeline(Readable.from(ROWS), client.query(from('copy copied from stdin')));
  const shares: number[] = [];
  await vacuumTables(client, database.ownerUrl, ['copied'], (share) => shares.push(share));
  /* Once, or twice if another test's transaction still held an old snapshot. */
  expect(shares.at(-1)).toBe(1);
  const { rows } = await client.query(
    `select relallvisible = (select count(distinct (ctid::text::point)[0]) from copied) as are_marked, relpages > relallvisible as are_left
       from pg_class where relname = 'copied'`,
  );
  expect(rows).toEqual([{ are_marked: true, are_left: true }]);
});
