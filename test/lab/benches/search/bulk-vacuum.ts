import { setTimeout as pause } from 'node:timers/promises';
import type { Queryable } from '@ces/chassis/postgres/pool';
import { runInSessions } from './bulk-sessions.ts';

const MOST_TIMES = 60;
const PAUSE_MS = 1_000;

/**
 * Vacuums until all rows are marked all-visible, which older snapshots delay. Throws if a table
 * remains.
 */
export async function vacuumTables(
  owner: Queryable,
  ownerUrl: string,
  tables: readonly string[],
  onDone: (share: number) => void,
): Promise<void> {
  let left = tables;
  for (let times = 0; left.length > 0; times += 1) {
    if (times === MOST_TIMES)
      throw new Error(`rows of ${left.join(', ')} are not visible to all: is a transaction open?`);
    if (times > 0) await pause(PAUSE_MS);
    await runInSessions(
      ownerUrl,
      {},
      left.map((table) => `vacuum ${table}`),
      onDone,
    );
    left = await notVisible(owner, tables);
  }
}

/**
 * Tables with an unmarked page of rows. `copy` can leave allocated empty pages, which vacuum never
 * marks.
 */
async function notVisible(owner: Queryable, tables: readonly string[]): Promise<string[]> {
  const { rows: short } = await owner.query<{ name: string; marked: number }>(
    `select oid::regclass::text as name, relallvisible as marked from pg_class
      where oid = any($1::text[]::regclass[]) and relallvisible < relpages`,
    [tables],
  );
  const left: string[] = [];
  for (const { name, marked } of short) if (marked < (await countFilledPages(owner, name))) left.push(name);
  return left;
}

async function countFilledPages(owner: Queryable, table: string): Promise<number> {
  const { rows } = await owner.query<{ pages: number }>(
    `select count(distinct (ctid::text::point)[0])::int as pages from ${table}`,
  );
  return rows[0]?.pages ?? 0;
}
