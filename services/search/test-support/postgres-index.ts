import { createPool, type Pool } from '@ces/chassis/postgres/pool';
import { systemClock } from '@ces/chassis/service/clock';
import { createLogger } from '@ces/chassis/telemetry/log';
import { createTestDatabase, type TestDatabase } from '@ces/test/support/database.ts';
import { createMemorySearch, type MemorySearchInThread } from '../src/index/postgres/memory-index/memory-search.ts';
import { createPostgresIndex, type PostgresIndexOptions } from '../src/index/postgres/postgres-index.ts';
import { type IndexUnderTest, indexUnderTest, vocabulary } from './index-under-test.ts';

export interface PostgresIndexUnderTest extends IndexUnderTest {
  readonly memory: MemorySearchInThread;
  readonly pool: Pool;
  readonly database: TestDatabase;
}

interface TestOptions extends Partial<Omit<PostgresIndexOptions, 'memory'>> {
  readonly memoryIndexMib?: number;
  /** Vectors of this model are loaded. */
  readonly model?: string;
}

const MIB = 1_048_576;

/** Its memory index is in the thread of the test. */
export async function openPostgresIndex({
  memoryIndexMib = 64,
  model,
  ...options
}: TestOptions = {}): Promise<PostgresIndexUnderTest> {
  const database = await createTestDatabase('search');
  const pool = createPool({
    connectionString: database.url,
    max: 4,
    applicationName: 'search test',
    pipeline: true,
    logger: createLogger('search', 'silent'),
  });
  const memory = createMemorySearch({ pool, mostBytes: memoryIndexMib * MIB, model, onFailure: () => undefined });
  const used = { pool, clock: systemClock, placeCodes: vocabulary.placeCodes, memory, ...options };
  return {
    ...indexUnderTest(createPostgresIndex(used), pool, { clock: used.clock, ...(model !== undefined && { model }) }),
    another: (changed) => createPostgresIndex({ ...used, ...changed }),
    memory,
    pool,
    database,
    async [Symbol.asyncDispose]() {
      await pool.end();
      await database[Symbol.asyncDispose]();
    },
  };
}
