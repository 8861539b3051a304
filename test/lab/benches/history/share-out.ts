import type { Stretch } from './months.ts';
import type { Session } from './system.ts';

/** Concurrent sessions. Each writes the partitions of its own stretches. */
const SESSIONS = 2;

/**
 * Writes the stretches concurrently. Writes the last one at the end, because it may share a
 * partition with the one before.
 */
export async function shareOut(
  stretches: readonly Stretch[],
  open: () => Promise<Session>,
  write: (session: Session, stretch: Stretch) => Promise<void>,
): Promise<void> {
  const last = stretches.at(-1);
  const others = stretches.slice(0, -1).values();
  const work = async () => {
    await using session = await open();
    for (const stretch of others) await write(session, stretch);
  };
  await Promise.all(Array.from({ length: SESSIONS }, work));
  await using session = await open();
  if (last) await write(session, last);
}

/** Runs while the rows are still cached, because reading a whole history again is slower. */
export async function vacuumPartition(
  session: Session,
  table: string,
  numberColumn: string,
  { firstId }: Stretch,
): Promise<void> {
  const { rows } = await session.query<{ name: string }>(
    `select tableoid::regclass::text as name from ${table} where ${numberColumn} >= ${firstId} order by ${numberColumn} limit 1`,
  );
  if (!rows[0]) throw new Error(`nothing was written into ${table} from ${firstId} on`);
  await session.query(`vacuum (analyze) ${rows[0].name}`);
}
