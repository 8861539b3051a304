import type { Pool } from '@ces/chassis/postgres/pool';

/** The right to project, held as long as one database session lives. */
export interface Leadership extends AsyncDisposable {
  /** Whether the session still lives. */
  holds(): Promise<boolean>;
}

/** Key of the advisory lock; any number that no other part of this database uses. */
const LOCK = 8_201_114;

/** Takes the lead if no other replica has it. The feed's guarded position is the proof, this lock spares double work. */
export async function takeLead(pool: Pool): Promise<Leadership | undefined> {
  const session = await pool.connect();
  const taken = await session.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [LOCK]).then(
    ({ rows }) => rows[0]?.taken === true,
    (error: Error) => {
      session.release(error);
      throw error;
    },
  );
  if (!taken) {
    session.release();
    return undefined;
  }
  return {
    holds: () =>
      session.query('select 1').then(
        () => true,
        () => false,
      ),
    async [Symbol.asyncDispose]() {
      session.release(true);
    },
  };
}
