import { setTimeout as pause } from 'node:timers/promises';
import type { Queryable } from '@ces/chassis/postgres/pool';
import { runInSessions } from './bulk-sessions.ts';

const MOST_TIMES = 60;
const PAUSE_MS = 1_000;

/** Vacuums tables until all their rows are marked as visible to all, which a snapshot from before a row was written delays; an error where one stays. */
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

async function notVisible(owner: Queryable, tables: readonly string[]): Promise<string[]> {
  const { rows } = await owner.query<{ name: string }>(
    'select oid::regclass::text as name from pg_class where oid = any($1::text[]::regclass[]) and relallvisible < relpages',
    [tables],
  );
  return rows.map((row) => row.name);
}
