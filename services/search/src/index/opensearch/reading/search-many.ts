import type { ChangePosition } from '@ces/proto/ces/lookup/v1/record_pb.ts';
import type { Client } from '@opensearch-project/opensearch';
import type { ReportPartial } from '../client/engine-meter.ts';
import { unavailable } from '../client/failures.ts';
import type { Hit } from './ranking/found-observations.ts';

export interface MultiSearchItem {
  readonly index: string;
  readonly body: object;
}

export interface SearchAnswer {
  readonly hits: readonly Hit[];
  readonly total: number | undefined;
  readonly best: ReadonlyMap<number, readonly Hit[]>;
  readonly isGone: boolean;
  readonly isPartial: boolean;
}

/**
 * A missing index has no hits, and a search may be partial. Rejects with `unavailable` if no shard
 * answers. A dropped node answers from its old state (decision 0022).
 */
export type SearchMany = (searches: readonly MultiSearchItem[], timeoutMs: number) => Promise<SearchAnswer[]>;

/** Global term statistics make scores of several shards comparable; free with one shard. */
const GLOBALLY = 'dfs_query_then_fetch';
/** OpenSearch cancels this long after the timeout, the client this long again after that. */
export const ANSWER_MS = 150;

const LONGEST_REASON = 300;

interface ShardError {
  readonly type?: string;
  readonly reason?: string;
}

interface Response {
  readonly error?: ShardError & { readonly failed_shards?: readonly { readonly reason?: ShardError }[] };
  readonly status?: number;
  readonly timed_out?: boolean;
  readonly _shards?: { readonly total: number; readonly successful: number; readonly failed: number };
  readonly hits?: { readonly total?: { readonly value: number }; readonly hits: readonly Hit[] };
  readonly aggregations?: {
    readonly companies?: {
      readonly buckets: readonly {
        readonly key: number;
        readonly best: { readonly hits: { readonly hits: readonly Hit[] } };
      }[];
    };
  };
}

export function createSearchMany(client: Client, reportPartial: ReportPartial): SearchMany {
  return async (searches, timeoutMs) => {
    if (searches.length === 0) return [];
    const timeout = Math.max(1, Math.floor(timeoutMs));
    const lines = searches.flatMap(({ index, body }) => [
      { index, search_type: GLOBALLY, ignore_unavailable: true },
      { ...body, timeout: `${timeout}ms` },
    ]);
    const { body } = await client.msearch(
      { body: lines as never, cancel_after_time_interval: `${timeout + ANSWER_MS}ms` } as never,
      { requestTimeout: timeout + 2 * ANSWER_MS },
    );
    const answers = (body as unknown as { readonly responses: readonly Response[] }).responses.map(answerOf);
    if (answers.some(({ isPartial }) => isPartial)) reportPartial();
    return answers;
  };
}

function answerOf({ error, status, timed_out, _shards, hits, aggregations }: Response): SearchAnswer {
  if (error || !_shards || !hits) throw failureOf(error, status);
  if (_shards.successful === 0 && _shards.total > 0) throw unavailable('no shard of the index answers');
  const buckets = aggregations?.companies?.buckets ?? [];
  return {
    hits: hits.hits,
    total: hits.total?.value,
    best: new Map(buckets.map(({ key, best }) => [key, best.hits.hits])),
    isGone: _shards.total === 0,
    isPartial: timed_out === true || _shards.failed > 0 || _shards.successful < _shards.total,
  };
}

function failureOf(error: Response['error'], status = 0): Error {
  const [first] = error?.failed_shards ?? [];
  const ofShard = first?.reason ? `; of the first shard ${wordsOf(first.reason)}` : '';
  const words = `a search was answered with ${status} ${wordsOf(error)}${ofShard}`;
  return status === 400 ? new Error(words) : unavailable(words);
}

function wordsOf({ type = '', reason = '' }: ShardError = {}): string {
  return `${type}: ${reason.slice(0, LONGEST_REASON)}`;
}

/** Throws if a filled index is missing: empty results would be wrong. */
export function rejectIfIndexGone(answers: readonly SearchAnswer[], position: ChangePosition | undefined): void {
  if (answers.some(({ isGone }) => isGone) && position !== undefined)
    throw unavailable('an index of OpenSearch is gone');
}
