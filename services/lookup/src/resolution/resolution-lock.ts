import type { Queryable } from '@ces/chassis/postgres/pool';

/** Which companies and events are one changes only under this lock. */
const RESOLUTION_LOCK = 7_304_118_202n;

/** Taken exclusively, and first, by every writer that decides which companies or events are one: two never decide side by side. */
export async function lockResolution(client: Queryable): Promise<void> {
  await client.query('select pg_advisory_xact_lock($1)', [RESOLUTION_LOCK]);
}

/** Taken shared, and first, by every other writer: they run side by side, and canonical companies stay as they are until the end of each. */
export async function shareResolutionLock(client: Queryable): Promise<void> {
  await client.query('select pg_advisory_xact_lock_shared($1)', [RESOLUTION_LOCK]);
}
