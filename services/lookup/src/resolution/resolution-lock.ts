import type { Queryable } from '@ces/chassis/postgres/pool';

/** Who is which company changes under this lock alone. */
const RESOLUTION_LOCK = 7_304_118_202n;

/** Taken first by whoever decides which companies or events are one, so that two of them never decide beside each other. */
export async function lockResolution(client: Queryable): Promise<void> {
  await client.query('select pg_advisory_xact_lock($1)', [RESOLUTION_LOCK]);
}

/** Taken first by every other writer: they run beside each other, and survivors stay as they are until the end of each. */
export async function holdResolution(client: Queryable): Promise<void> {
  await client.query('select pg_advisory_xact_lock_shared($1)', [RESOLUTION_LOCK]);
}
