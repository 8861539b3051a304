import type { ChangePosition } from '@ces/proto/ces/lookup/v1/record_pb.ts';
import type { Client, Connection } from '@opensearch-project/opensearch';
import type { ReportPartial } from '../client/engine-meter.ts';
import { unavailable } from '../client/failures.ts';
import type { Stamp } from '../state/feed-row.ts';
import { carriesStamp, stampSearch } from '../state/stamp.ts';
import type { Hit } from './ranking/found-observations.ts';

export interface OneSearch {
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
 * Sends searches in one request to one node, which must have everything up to the position. A
 * missing index has no hits, and a search may be partial. Rejects with `unavailable` if no shard
 * answers or no node is current.
 */
export type SearchMany = (searches: readonly OneSearch[], timeoutMs: number) => Promise<SearchAnswer[]>;

/**
 * Uses global term statistics, so that scores of several shards are comparable. It is free with one
 * shard.
 */
const GLOBALLY = 'dfs_query_then_fetch';
/**
 * OpenSearch cancels a search this long after its timeout, and the client gives up after this long
 * again, in milliseconds. A search that times out can still return partial hits.
 */
export const ANSWER_MS = 150;

/**
 * This many nodes are asked if a node is stale. Its connections are closed, because one address may
 * serve all nodes.
 */
const NODES_ASKED = 3;
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

export interface SearchManyOptions {
  readonly client: Client;
  readonly prefix: string;
  /** The searches must include the position of this stamp; undefined if there is none. */
  readonly stamp: Stamp | undefined;
  readonly reportPartial: ReportPartial;
}

export function createSearchMany({ client, prefix, stamp, reportPartial }: SearchManyOptions): SearchMany {
  const askNode = async (searches: readonly OneSearch[], timeoutMs: number) => {
    const timeout = Math.max(1, Math.floor(timeoutMs));
    const { header, body: stampBody } = stampSearch(prefix, stamp);
    /* The stamp comes first, so that all following results are at least as new. */
    const lines = [
      ...[header, { ...stampBody, timeout: `${timeout}ms` }],
      ...searches.flatMap(({ index, body }) => [
        { index, search_type: GLOBALLY, ignore_unavailable: true },
        { ...body, timeout: `${timeout}ms` },
      ]),
    ];
    const { body, meta } = await client.msearch(
      { body: lines as never, cancel_after_time_interval: `${timeout + ANSWER_MS}ms` } as never,
      { requestTimeout: timeout + 2 * ANSWER_MS },
    );
    const [stamped, ...responses] = (body as unknown as { readonly responses: readonly Response[] }).responses;
    return { responses, isCurrent: isCurrent(stamped, stamp), connection: meta.connection };
  };
  return async (searches, timeoutMs) => {
    const end = performance.now() + timeoutMs;
    for (let attempt = 1; ; attempt += 1) {
      const { responses, isCurrent, connection } = await askNode(searches, end - performance.now());
      if (isCurrent) {
        const answers = responses.map(answerOf);
        if (answers.some(({ isPartial }) => isPartial)) reportPartial();
        return answers;
      }
      leaveNode(client, connection);
      if (attempt === NODES_ASKED || performance.now() > end)
        throw unavailable('the nodes of OpenSearch that answered lack what was written last');
    }
  };
}

function isCurrent(response: Response | undefined, stamp: Stamp | undefined): boolean {
  if (!stamp) return true;
  const { hits, isPartial } = answerOf(response ?? {});
  if (hits.length === 0 && isPartial) throw unavailable('a node of OpenSearch had no time to say what it has');
  return carriesStamp(hits[0], stamp);
}

/** The next request uses another node, or reconnects to the same address. */
function leaveNode(client: Client, connection: Connection): void {
  client.connectionPool.markDead(connection);
  for (const socket of Object.values(connection.agent.freeSockets).flat()) socket?.destroy();
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
