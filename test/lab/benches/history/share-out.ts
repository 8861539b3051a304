import type { Stretch } from './months.ts';
import type { Session } from './system.ts';

/** Sessions that write at once, each into the partitions of the stretches it takes. */
const SESSIONS = 2;

/** Writes every stretch, some at once; the last, which may share a partition with the one before, after all others. */
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

/** While what was written is still in memory: reading a whole history again takes longer. */
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
