import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { createPool, type Pool } from '@ces/chassis/postgres/pool';
import { type Clock, systemClock } from '@ces/chassis/service/clock';
import { createLogger } from '@ces/chassis/telemetry/log';
import {
  ChangePositionSchema,
  CompanyDocumentSchema,
  ObservationDocumentSchema,
} from '@ces/proto/ces/lookup/v1/record_pb.ts';
import { type Plan, PlanSchema, Retrieval, type SearchFilters } from '@ces/proto/ces/search/v1/search_pb.ts';
import { createTestDatabase, type TestDatabase } from '@ces/test/support/database.ts';
import type { ObservationIndex, Ranking } from '../src/index/observation-index.ts';
import { createPostgresIndex, type PostgresIndexOptions } from '../src/index/postgres/postgres-index.ts';
import { planQuery } from '../src/planning/plan-query.ts';
import { loadVocabulary } from '../src/vocabulary/load-vocabulary.ts';
import { filters } from './documents.ts';

const vocabulary = loadVocabulary();

interface Documents {
  readonly observations?: readonly MessageInitShape<typeof ObservationDocumentSchema>[];
  readonly companies?: readonly MessageInitShape<typeof CompanyDocumentSchema>[];
}

/** An index on a database of its own, written to without a record behind it. */
export interface IndexUnderTest extends AsyncDisposable {
  readonly index: ObservationIndex;
  readonly pool: Pool;
  readonly database: TestDatabase;
  /** What the index was made with. */
  readonly options: PostgresIndexOptions;
  /** Applies documents as the next range of the live feed. */
  apply(documents: Documents): Promise<void>;
  /** Applies documents as the whole of a rebuild that has begun. */
  applyRebuild(documents: Documents): Promise<void>;
  /** Ranks by a plan, or by the plan of a query. */
  rank(what: string | Plan, filters?: SearchFilters, explain?: boolean): Promise<Ranking>;
  /** The same by another index on the same database. */
  rankWith(index: ObservationIndex): IndexUnderTest['rank'];
  /** Ids of the companies of a ranking, best first. */
  companiesFor(what: string | Plan, filters?: SearchFilters): Promise<bigint[]>;
}

export async function openIndex(
  options: Partial<PostgresIndexOptions> = {},
  clock: Clock = systemClock,
): Promise<IndexUnderTest> {
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
    clock,
    placeCodes: vocabulary.placeCodes,
    statementTimeoutMs: 5_000,
    matchBudget: 10_000,
    windowMatchBudget: 10_000,
    ...options,
  };
  const index = createPostgresIndex(used);
  const rankWith =
    (ranking: ObservationIndex): IndexUnderTest['rank'] =>
    async (what, within = filters(), explain = false) => {
      const plan = typeof what === 'string' ? planQuery(what, within, vocabulary, clock.now()) : what;
      return await ranking.rank({
        plan,
        filters: within,
        companies: 100,
        observationsPerCompany: 3,
        explain,
        timeoutMs: undefined,
      });
    };
  const rank = rankWith(index);
  return {
    index,
    pool,
    database,
    options: used,
    rank,
    rankWith,
    async companiesFor(what, within) {
      const { hits } = await rank(what, within);
      return [...new Set(hits.map((hit) => hit.companyId))];
    },
    async apply(documents) {
      const { live } = await index.feedState();
      const to = create(ChangePositionSchema, { tx: (live?.tx ?? 0n) + 1n, seq: 1n });
      await index.apply({ ...messages(documents), range: { feed: 'live', from: live, to, complete: true } }, 1n);
      await index.refreshStatistics();
    },
    async applyRebuild(documents) {
      const to = create(ChangePositionSchema, { tx: 1_000n, seq: 1n });
      await index.apply(
        { ...messages(documents), range: { feed: 'rebuild', from: undefined, to, complete: true } },
        1n,
      );
    },
    async [Symbol.asyncDispose]() {
      await pool.end();
      await database[Symbol.asyncDispose]();
    },
  };
}

/** The same with a copy in the memory of the process. */
export async function openCopiedIndex(): Promise<IndexUnderTest> {
  return await openIndex({ copyMemory: 64, statementTimeoutMs: 1_000 });
}

/** A plan that searches the text of observations for words as they are. */
export function planOfWords(words: readonly string[], init: MessageInitShape<typeof PlanSchema> = {}): Plan {
  return create(PlanSchema, {
    version: 1,
    planner: 'test',
    retrieval: Retrieval.LEXICAL,
    activity: words.map((word) => ({ words: [word], weight: 1, text: word })),
    ...init,
  });
}

function messages({ observations = [], companies = [] }: Documents) {
  return {
    observations: observations.map((init) => create(ObservationDocumentSchema, init)),
    companies: companies.map((init) => create(CompanyDocumentSchema, init)),
  };
}
