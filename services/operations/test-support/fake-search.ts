import { timestampDate, timestampFromDate } from '@bufbuild/protobuf/wkt';
import { Retrieval } from '@ces/proto/ces/search/v1/search_pb.ts';
import { type SearchRequest, SearchService } from '@ces/proto/ces/search/v1/search_service_pb.ts';
import type { ConnectRouter } from '@connectrpc/connect';
import type { FakeRecord } from './fake-record.ts';

/** A search that finds every company of the record, by id, and every observation, newest first. */
export class FakeSearch {
  readonly record: FakeRecord;
  readonly calls: string[] = [];
  readonly requests: SearchRequest[] = [];
  planIsEmpty = false;
  candidateLimitReached = false;
  before: (method: string, query: string) => Promise<void> | void = () => undefined;

  constructor(record: FakeRecord) {
    this.record = record;
  }

  readonly register = (router: ConnectRouter): void => {
    router.service(SearchService, {
      plan: async ({ query }) => {
        await this.before('plan', query);
        this.calls.push('plan');
        return {
          plan: { version: 1, planner: 'fake/1', query, retrieval: Retrieval.LEXICAL, empty: this.planIsEmpty },
        };
      },
      search: async (request) => {
        await this.before('search', request.plan?.query ?? '');
        this.calls.push('search');
        this.requests.push(request);
        const ids = [...this.record.canonicalIds.keys()].slice(0, request.maxCompanies);
        return {
          companies: ids.map((companyId) => ({
            companyId,
            observationIds: this.record.observationsOf(companyId).map((observation) => observation.id),
            score: 0.5,
          })),
          retrieval: Retrieval.LEXICAL,
          candidateCompanies: ids.length,
          candidateLimitReached: this.candidateLimitReached,
        };
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
}
