import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { type Clock, systemClock } from '@ces/chassis/service/clock';
import {
  ChangePositionSchema,
  CompanyDocumentSchema,
  ObservationDocumentSchema,
} from '@ces/proto/ces/lookup/v1/record_pb.ts';
import { type Plan, PlanSchema, Retrieval, type SearchFilters } from '@ces/proto/ces/search/v1/search_pb.ts';
import type { ObservationIndex } from '../src/index/observation-index.ts';
import { planQuery } from '../src/planning/plan-query.ts';
import type { Ranking } from '../src/ranking/ranking.ts';
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
}

export interface IndexUnderTest extends AsyncDisposable {
  readonly index: ObservationIndex;
  another(options: EngineOptions): ObservationIndex;
  /** Applies documents as the next range of the live feed. */
  apply(documents: Documents): Promise<void>;
  applyRebuild(documents: Documents): Promise<void>;
  rank(what: string | Plan, filters?: SearchFilters, explain?: boolean): Promise<Ranking>;
  rankWith(index: ObservationIndex): IndexUnderTest['rank'];
  companiesFor(what: string | Plan, filters?: SearchFilters): Promise<bigint[]>;
}

export function indexUnderTest(
  index: ObservationIndex,
  clock: Clock = systemClock,
): Pick<IndexUnderTest, 'index' | 'apply' | 'applyRebuild' | 'rank' | 'rankWith' | 'companiesFor'> {
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
    rank,
    rankWith,
    async companiesFor(what, within) {
      const { hits } = await rank(what, within);
      return [...new Set(hits.map((hit) => hit.companyId))];
    },
    async apply(documents) {
      const { live } = await index.feedState();
      const to = create(ChangePositionSchema, { tx: (live?.tx ?? 0n) + 1n, seq: 1n });
      await index.apply({ ...batchOf(documents), range: { feed: 'live', from: live, to, complete: true } }, 1n);
      await index.refreshStatistics();
    },
    async applyRebuild(documents) {
      const to = create(ChangePositionSchema, { tx: 1_000n, seq: 1n });
      await index.apply({ ...batchOf(documents), range: { feed: 'rebuild', from: undefined, to, complete: true } }, 1n);
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
