import { createPool, type Pool } from '@ces/chassis/postgres/pool';
import { systemClock } from '@ces/chassis/service/clock';
import { createLogger } from '@ces/chassis/telemetry/log';
import { createTestDatabase, type TestDatabase } from '@ces/test/support/database.ts';
import { createPostgresIndex, type PostgresIndex, type PostgresIndexOptions } from '../src/index/postgres/postgres-index.ts';
import { type IndexUnderTest, indexUnderTest, vocabulary } from './index-under-test.ts';

export interface PostgresIndexUnderTest extends IndexUnderTest {
  readonly index: PostgresIndex;
  readonly pool: Pool;
  readonly database: TestDatabase;
  readonly options: PostgresIndexOptions;
}

export async function openPostgresIndex(options: Partial<PostgresIndexOptions> = {}): Promise<PostgresIndexUnderTest> {
  const database = await createTestDatabase('search');
  const pool = createPool({
    connectionString: database.url,
    max: 4,
    applicationName: 'search test',
    pipeline: true,
    logger: createLogger('search', 'silent'),
  });
  const used = {
    pool,
    clock: systemClock,
    placeCodes: vocabulary.placeCodes,
    memoryIndexMib: 64,
    ...options,
  };
  const index = createPostgresIndex(used);
  return {
    ...indexUnderTest(index, used.clock),
    index,
    another: (changed) => createPostgresIndex({ ...used, ...changed }),
    pool,
    database,
    options: used,
    async [Symbol.asyncDispose]() {
      await pool.end();
      await database[Symbol.asyncDispose]();
    },
  };
}
