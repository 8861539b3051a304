import type { Timestamp } from '@bufbuild/protobuf/wkt';
import type { ChangePosition, CompanyDocument, ObservationDocument } from '@ces/proto/ces/lookup/v1/record_pb.ts';
import type { SearchFilters } from '@ces/proto/ces/search/v1/search_pb.ts';
import type { Ranking, RankingQuery } from '../ranking/ranking.ts';

export interface IndexBatch {
  readonly observations: readonly ObservationDocument[];
  readonly companies: readonly CompanyDocument[];
  readonly range: FeedRange;
}

/** Only the reader whose position is still `from` may advance to `to`. */
export interface FeedRange {
  readonly feed: 'live' | 'rebuild';
  readonly from: ChangePosition | undefined;
  readonly to: ChangePosition;
  readonly complete: boolean;
}

export interface FeedState {
  readonly live: ChangePosition | undefined;
  readonly complete: boolean;
  readonly rebuilding: boolean;
  readonly rebuild: ChangePosition | undefined;
  /** An earlier version of the text analysis wrote the index, so it needs a rebuild. */
  readonly outdated: boolean;
}

export interface LiteralQuery {
  readonly words: readonly string[];
  readonly filters: SearchFilters;
  readonly recordedBy: Timestamp | undefined;
  readonly before: { readonly observedAt: Timestamp; readonly id: bigint } | undefined;
  readonly limit: number;
  readonly timeoutMs: number | undefined;
}

export interface LiteralHit {
  readonly observationId: bigint;
  readonly companyId: bigint;
  readonly observedAt: Timestamp;
}

export interface IndexSize {
  readonly observations: bigint;
  readonly companies: bigint;
  readonly bytes: bigint;
  readonly memory?: MemoryUse;
}

/** Of an index that is searched in the memory of this process. */
export interface MemoryUse {
  readonly bytes: number;
  readonly mostBytes: number;
  /** Observations of the oldest months that searches leave out, because memory has no room. */
  readonly leftOut: number;
  /** The first day of the oldest month in memory; empty if nothing is left out. */
  readonly searchedFrom: string;
}

/** The contract of every engine. An index can always be rebuilt from the change list. */
export interface ObservationIndex {
  /**
   * Applies documents, then moves the feed's position; idempotent. Rejects if another reader moved
   * the feed or a higher fence token wrote to it: the leader's next apply corrects partial writes.
   */
  apply(batch: IndexBatch, fence: bigint): Promise<void>;
  /**
   * Rewrites observations that got a vector after they were indexed. Returns true if more wait.
   * Absent if searches read vectors from the database.
   */
  applyVectors?(
    documentsOf: (ids: readonly bigint[]) => Promise<readonly ObservationDocument[]>,
    fence: bigint,
  ): Promise<boolean>;
  rank(query: RankingQuery): Promise<Ranking>;
  findLiterally(query: LiteralQuery): Promise<LiteralHit[]>;
  feedState(): Promise<FeedState>;
  /** Starts a rebuild while the live feed continues. Returns false during a rebuild. */
  beginRebuild(): Promise<boolean>;
  /**
   * Handles a new history of the record: the live feed continues at `to`, and a rebuild applies
   * everything before it. Returns false if another reader moved the feed from `from` or leads now.
   */
  restart(from: ChangePosition | undefined, to: ChangePosition, fence: bigint): Promise<boolean>;
  /** Drops documents that the rebuild did not meet. False: superseded, or it must restart. */
  finishRebuild(fence: bigint): Promise<boolean>;
  /** Recounts word frequencies if enough has changed. Resolves when deferred writes are done. */
  refreshStatistics(): Promise<void>;
  /** Creates partitions ahead and discards old ones. Does nothing if it ran recently. */
  maintain(): Promise<void>;
  size(): Promise<IndexSize>;
}
