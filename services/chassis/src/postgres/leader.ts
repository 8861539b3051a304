import type pg from 'pg';
import type { Pool } from './pool.ts';

/** The right to be the one process of a database that does some work; held until disposed, or until its session ends. */
export interface Lead extends AsyncDisposable {
  /** Whether the session that holds it still lives. */
  holds(): Promise<boolean>;
}

/**
 * Takes the lead if no other process has it. `lock` is a number that no other part of the database uses. The lead spares
 * double work and proves nothing: what it guards must bear two leaders, since one may not know yet that its session ended.
 */
export async function takeLead(pool: Pool, lock: bigint): Promise<Lead | undefined> {
  const session = await pool.connect();
  if (!(await tryLock(session, lock))) return undefined;
  return {
    holds: () =>
      session.query('select 1').then(
        () => true,
        () => false,
      ),
    // The lock goes with its session, whatever state that is in.
    async [Symbol.asyncDispose]() {
      session.release(true);
    },
  };
}

/** Runs `work` as the leader; while another process leads nothing is run and false returned. No transaction is open meanwhile. */
export async function asLeader(pool: Pool, lock: bigint, work: () => Promise<void>): Promise<boolean> {
  const session = await pool.connect();
  if (!(await tryLock(session, lock))) return false;
  let broken: Error | undefined;
  try {
    await work();
  } finally {
    await session.query('select pg_advisory_unlock($1)', [lock]).catch((error: Error) => {
      broken = error;
    });
    session.release(broken);
  }
  return true;
}

/** Gives the session back where the lock was not got. */
async function tryLock(session: pg.PoolClient, lock: bigint): Promise<boolean> {
  try {
    const { rows } = await session.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [lock]);
    if (rows[0]?.taken) return true;
  } catch (error) {
    session.release(error as Error);
    throw error;
  }
  session.release();
  return false;
}
