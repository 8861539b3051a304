import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { timestampDate, timestampFromDate } from '@bufbuild/protobuf/wkt';
import { PlanSchema, Retrieval } from '@ces/proto/ces/search/v1/search_pb.ts';
import { type SearchRequest, SearchRequestSchema, SearchService } from '@ces/proto/ces/search/v1/search_service_pb.ts';
import type { ConnectRouter } from '@connectrpc/connect';
import type { FakeRecord } from './fake-record.ts';

export class FakeSearch {
  readonly record: FakeRecord;
  readonly calls: string[] = [];
  readonly requests: SearchRequest[] = [];
  planIsEmpty = false;
  notRecorded: string[] = [];
  notMet: string[] = [];
  monthsLeftOut = false;
  candidateLimitReached = false;
  before: (method: string, query: string) => Promise<void> | void = () => undefined;

  constructor(record: FakeRecord) {
    this.record = record;
  }

  readonly register = (router: ConnectRouter): void => {
    router.service(SearchService, {
      planAndSearch: async ({ query, filters, candidateLimit, maxCompanies }, { signal }) => {
        const plan = await this.#plan(query);
        signal.throwIfAborted();
        this.calls.push('planAndSearch');
        if (plan.empty) return { plan };
        const limits = { candidateLimit, maxCompanies };
        return { plan, ranking: await this.#search({ plan, ...(filters && { filters }), ...limits }) };
      },
      plan: async ({ query }) => {
        const plan = await this.#plan(query);
        this.calls.push('plan');
        return { plan };
      },
      search: async (request) => {
        const found = await this.#search(request);
        this.calls.push('search');
        return found;
      },
      searchObservations: async ({ query, beforeObservedAt, beforeId, limit }) => {
        await this.before('searchObservations', query);
        this.calls.push('searchObservations');
        const rows = [...this.record.observations.values()]
          .map((row) => ({ row, observedAt: row.recordedAt }))
          .sort((a, b) => b.observedAt.getTime() - a.observedAt.getTime() || Number(b.row.id - a.row.id))
          .filter(({ row, observedAt }) => {
            const before = beforeObservedAt && timestampDate(beforeObservedAt);
            return !before || observedAt < before || (observedAt.getTime() === before.getTime() && row.id < beforeId);
          });
        return {
          hits: rows.slice(0, limit).map(({ row, observedAt }) => ({
            observationId: row.id,
            companyId: row.companyId,
            observedAt: timestampFromDate(observedAt),
          })),
          hasMore: rows.length > limit,
        };
      },
    });
  };

  async #plan(query: string) {
    await this.before('plan', query);
    return create(PlanSchema, {
      version: 1,
      planner: 'fake/1',
      query,
      retrieval: Retrieval.LEXICAL,
      empty: this.planIsEmpty,
      notRecorded: this.notRecorded,
    });
  }

  async #search(request: MessageInitShape<typeof SearchRequestSchema>) {
    await this.before('search', request.plan?.query ?? '');
    const asked = create(SearchRequestSchema, request);
    this.requests.push(asked);
    const ids = [...this.record.canonicalIds.keys()].slice(0, asked.maxCompanies);
    return {
      companies: ids.map((companyId) => ({
        companyId,
        observationIds: this.record.observationsOf(companyId).map((observation) => observation.id),
        score: 0.5,
      })),
      retrieval: Retrieval.LEXICAL,
      candidateCompanies: ids.length,
      candidateLimitReached: this.candidateLimitReached,
      notMet: this.notMet,
      monthsLeftOut: this.monthsLeftOut,
    };
  }
}
