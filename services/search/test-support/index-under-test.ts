import { create, type MessageInitShape } from '@bufbuild/protobuf';
import type { Pool } from '@ces/chassis/postgres/pool';
import { type Clock, systemClock } from '@ces/chassis/service/clock';
import {
  ChangePositionSchema,
  CompanyDocumentSchema,
  type ObservationDocument,
  ObservationDocumentSchema,
} from '@ces/proto/ces/lookup/v1/record_pb.ts';
import { type Plan, PlanSchema, Retrieval, type SearchFilters } from '@ces/proto/ces/search/v1/search_pb.ts';
import { digestOf } from '../src/embedding/observation-vector.ts';
import { writeVectors } from '../src/embedding/vector-table.ts';
import type { ObservationIndex } from '../src/index/observation-index.ts';
import { planQuery } from '../src/planning/plan-query.ts';
import type { QueryMeaning, Ranking } from '../src/ranking/ranking.ts';
import { loadVocabulary } from '../src/vocabulary/load-vocabulary.ts';
import { filters } from './documents.ts';

export const vocabulary = loadVocabulary();

interface Documents {
  readonly observations?: readonly MessageInitShape<typeof ObservationDocumentSchema>[];
  readonly companies?: readonly MessageInitShape<typeof CompanyDocumentSchema>[];
}

export interface EngineOptions {
  readonly clock?: Clock;
  /** Events of this many months stay indexed; 0 keeps all. */
  readonly keptMonths?: number;
  /** Vectors of this model find and order. */
  readonly model?: string;
}

export interface IndexUnderTest extends AsyncDisposable {
  readonly index: ObservationIndex;
  another(options: EngineOptions): ObservationIndex;
  /** Applies documents as the next range of the live feed. */
  apply(documents: Documents): Promise<void>;
  applyRebuild(documents: Documents): Promise<void>;
  /** Also lets the index read them. */
  writeVectors(vectors: readonly (readonly [bigint, Int8Array])[], model?: string): Promise<void>;
  rank(what: string | Plan, filters?: SearchFilters, meaning?: QueryMeaning): Promise<Ranking>;
  rankWith(index: ObservationIndex): IndexUnderTest['rank'];
  companiesFor(what: string | Plan, filters?: SearchFilters): Promise<bigint[]>;
}

export function indexUnderTest(
  index: ObservationIndex,
  pool: Pool,
  { clock = systemClock, model = '' }: EngineOptions = {},
): Omit<IndexUnderTest, 'another' | typeof Symbol.asyncDispose> {
  const record = new Map<bigint, ObservationDocument>();
  const batchIn = (documents: Documents) => {
    const batch = batchOf(documents);
    for (const observation of batch.observations) record.set(observation.id, observation);
    return batch;
  };
  const rankWith =
    (ranking: ObservationIndex): IndexUnderTest['rank'] =>
    async (what, within = filters(), meaning = undefined) => {
      const plan = typeof what === 'string' ? planQuery(what, within, vocabulary, clock.now()) : what;
      return await ranking.rank({
        plan,
        filters: within,
        companies: 100,
        observationsPerCompany: 3,
        timeoutMs: undefined,
        meaning,
      });
    };
  const rank = rankWith(index);
  return {
    index,
    rank,
    rankWith,
    async companiesFor(what, within) {
      const { hits } = await rank(what, within);
      return [...new Set(hits.map((hit) => hit.companyId))];
    },
    async apply(documents) {
      const { live } = await index.feedState();
      const to = create(ChangePositionSchema, { tx: (live?.tx ?? 0n) + 1n, seq: 1n });
      await index.apply({ ...batchIn(documents), range: { feed: 'live', from: live, to, complete: true } }, 1n);
      await index.refreshStatistics();
    },
    async writeVectors(vectors, ofModel = model) {
      const rows = vectors.map(([observationId, vector]) => ({ observationId, vector, digest: digestOf('') }));
      await writeVectors(pool, { model: ofModel, vectors: rows, gone: [], to: undefined }, 1n);
      const documentsOf = async (ids: readonly bigint[]) => ids.flatMap((id) => record.get(id) ?? []);
      for (let hasMore: boolean | undefined = true; hasMore; ) hasMore = await index.applyVectors?.(documentsOf, 1n);
    },
    async applyRebuild(documents) {
      const to = create(ChangePositionSchema, { tx: 1_000n, seq: 1n });
      await index.apply({ ...batchIn(documents), range: { feed: 'rebuild', from: undefined, to, complete: true } }, 1n);
    },
  };
}

/** A plan that searches only observation texts, for unmodified words. */
export function planOfWords(words: readonly string[], init: MessageInitShape<typeof PlanSchema> = {}): Plan {
  return create(PlanSchema, {
    version: 1,
    planner: 'test',
    retrieval: Retrieval.LEXICAL,
    activity: words.map((word) => ({ words: [word], weight: 1, text: word })),
    ...init,
  });
}

export function batchOf({ observations = [], companies = [] }: Documents) {
  return {
    observations: observations.map((init) => create(ObservationDocumentSchema, init)),
    companies: companies.map((init) => create(CompanyDocumentSchema, init)),
  };
}
