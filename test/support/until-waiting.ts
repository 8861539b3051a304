import { setTimeout as pause } from 'node:timers/promises';
import type { Queryable } from '@ces/chassis/postgres/pool';

const WAITING = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;

/**
 * Waits until `connections` sessions of the database wait for a lock. `db` needs their role,
 * because Postgres hides the state of other roles.
 */
export async function untilWaiting(db: Queryable, connections = 1): Promise<void> {
  while (((await db.query(WAITING)).rowCount ?? 0) < connections) await pause(10);
}
