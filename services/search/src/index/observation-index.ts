import type { Timestamp } from '@bufbuild/protobuf/wkt';
import type { ChangePosition, CompanyDocument, ObservationDocument } from '@ces/proto/ces/lookup/v1/record_pb.ts';
import type { Plan, SearchFilters } from '@ces/proto/ces/search/v1/search_pb.ts';
import type { RelevanceFeatures } from '../ranking/calibration.ts';
import type { Alternative, WeighedTerm } from '../ranking/weigh-terms.ts';

/** Documents as they are now, and the range of the change list that named them. */
export interface IndexBatch {
  readonly observations: readonly ObservationDocument[];
  readonly companies: readonly CompanyDocument[];
  readonly range: FeedRange;
}

/** One of the parts that projectors share the change list by: the documents whose ids fall to it. */
export interface FeedPart {
  /** From 0 on. Whoever has the first one also does what concerns the whole index. */
  readonly part: number;
  readonly of: number;
}

/** From where to where a reader has come. Only the reader whose position is still `from` may go on. */
export interface FeedRange {
  readonly feed: 'live' | 'rebuild';
  /** Left out: the whole list. */
  readonly part?: FeedPart;
  readonly from: ChangePosition | undefined;
  readonly to: ChangePosition;
  /** Nothing that had committed was left behind `to`. */
  readonly complete: boolean;
}

/** How far the index has come in the change list. */
export interface FeedState {
  readonly live: ChangePosition | undefined;
  readonly complete: boolean;
  readonly rebuilding: boolean;
  readonly rebuild: ChangePosition | undefined;
  /** Texts were analysed as an earlier version does it, so that the index has to be made anew. */
  readonly outdated: boolean;
}

/** What is to be ranked. */
export interface RankingQuery {
  readonly plan: Plan;
  readonly filters: SearchFilters;
  /** Companies at most. */
  readonly companies: number;
  readonly observationsPerCompany: number;
  readonly explain: boolean;
  /** What is left of the caller's deadline, in milliseconds. */
  readonly timeoutMs: number | undefined;
}

/** An observation of the ranking and the parts of its score; all but factors are in idf units. */
export interface RankedHit {
  readonly observationId: bigint;
  readonly companyId: bigint;
  readonly ownText: number;
  readonly companyContext: number;
  readonly place: number;
  /** What being of a kind that the words name gives. */
  readonly kind: number;
  readonly kindFactor: number;
  readonly placeFactor: number;
  readonly timeFactor: number;
  readonly avoidedFactor: number;
  readonly answerFactor: number;
  readonly factFactor: number;
  /** The most that a score could have reached before it was normalised. */
  readonly highest: number;
  /** Normalised, 0..1. */
  readonly score: number;
  /** What says how probable it is that it answers: nothing that depends on filters or on other hits. */
  readonly relevance: RelevanceFeatures;
  /** What each word gave; empty unless asked for. */
  readonly gains: readonly TermGain[];
}

/** What a word gave by its best alternative. */
export interface TermGain {
  readonly term: WeighedTerm;
  readonly alternative: Alternative;
  readonly ofCompany: boolean;
  /** In idf units; what a description gives is weighed already. */
  readonly value: number;
}

export interface Ranking {
  /** Company by company, the best first; within a company the best first. */
  readonly hits: readonly RankedHit[];
  readonly droppedTerms: readonly string[];
  /** Matches were cut by a budget or by time, or the filters ask for what is no longer indexed. */
  readonly truncated: boolean;
  /** More companies fit by description, or more observations are of the kind asked for, than were retrieved. */
  readonly retrievalCut: boolean;
  /** Observations that the frequencies of words were counted in; 0 before they are. */
  readonly countedObservations: number;
  /** Words had a part in the scores, beyond those that name a kind, a place or a time. */
  readonly ranksByWords: boolean;
  readonly position: ChangePosition | undefined;
}

/** Words to be found as they are written. */
export interface LiteralQuery {
  readonly words: readonly string[];
  readonly filters: SearchFilters;
  readonly recordedBy: Timestamp | undefined;
  readonly before: { readonly observedAt: Timestamp; readonly id: bigint } | undefined;
  readonly limit: number;
  /** What is left of the caller's deadline, in milliseconds. */
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
}

/**
 * What search needs of an index of the record, whatever engine it is made with. It may be dropped at any time and built
 * again from the change list.
 */
export interface ObservationIndex {
  /**
   * Applies documents and moves the feed's position, which is never ahead of what a search sees. A version that is known changes
   * nothing, and so does applying twice. Rejects when another reader has moved the feed, and when one of a higher fence has
   * written to it: the position stays, documents may have been written, and are right once the leader applies again.
   */
  apply(batch: IndexBatch, fence: bigint): Promise<void>;
  /** The best companies of a plan inside the filters. */
  rank(query: RankingQuery): Promise<Ranking>;
  /** Observations that contain every word, newest observed first. */
  findLiterally(query: LiteralQuery): Promise<LiteralHit[]>;
  /** The lexemes that words are reduced to; words that the index leaves out are missing. */
  lexemesOf(words: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** How far the index has come: of parts, the one that is furthest behind. */
  feedState(): Promise<FeedState>;
  /**
   * How far a part has come. Undefined where the change list is not shared by so many parts: whoever has the first one shares it
   * anew, the others wait.
   */
  partState(part: FeedPart): Promise<FeedState | undefined>;
  /**
   * From now on so many parts share the change list, each beginning where the one has come that was furthest behind. Rejects when a
   * reader of a higher fence leads, and where an engine has no parts.
   */
  share(parts: number, fence: bigint): Promise<void>;
  /** From now on everything is applied anew beside the live feed; false when a rebuild is under way already. */
  beginRebuild(): Promise<boolean>;
  /**
   * The record's history has changed: the live feed goes on at `to`, and everything before it is applied anew beside it, as
   * in a rebuild. False when another reader has moved the feed from `from`, or leads now.
   */
  restart(from: ChangePosition | undefined, to: ChangePosition, fence: bigint): Promise<boolean>;
  /**
   * Drops what the rebuild did not meet. False, and nothing is dropped, where a reader of a higher fence has written to the feed,
   * the rebuild has to begin once more, or one of several parts has not come to its end yet.
   */
  finishRebuild(fence: bigint): Promise<boolean>;
  /**
   * Renews what ranking knows about the frequency of words, if enough has changed, and finishes what writing has put off
   * while more was to come; ends when that is done.
   */
  refreshStatistics(): Promise<void>;
  /** Prepares room for what comes next and discards what grew too old to be kept; nothing when that was done lately. */
  maintain(): Promise<void>;
  size(): Promise<IndexSize>;
}
