import pg from 'pg';
import type { Ranking } from '../src/index/observation-index.ts';
import type { PostgresIndexUnderTest } from './postgres-index.ts';

const PATIENCE_MS = 120_000;
/** The ranking statement waited for the lock until its timeout. */
const CANCELLED = '57014';

/** Ranks while the database's texts are locked, so that only the memory index can answer. */
export async function rankInMemory(subject: PostgresIndexUnderTest, rank: () => Promise<Ranking>): Promise<Ranking> {
  const blocker = new pg.Client({ connectionString: subject.database.ownerUrl });
  await blocker.connect();
  try {
    for (const deadline = performance.now() + PATIENCE_MS; performance.now() < deadline; ) {
      await rank();
      await blocker.query('begin');
      await blocker.query('lock table entry in access exclusive mode');
      const ranking = await rank().catch((error: unknown) => {
        if ((error as { code?: string }).code !== CANCELLED) throw error;
      });
      await blocker.query('rollback');
      if (ranking) return ranking;
    }
    throw new Error('the memory index never answered');
  } finally {
    await blocker.end();
  }
}
