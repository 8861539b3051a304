import type { SearchFilters } from '@ces/proto/ces/search/v1/search_pb.ts';
import type { BucketSize, Lexicon } from '../../../ranking/term-statistics.ts';

/** A part of a corpus, and what filters leave of it. */
export interface Searched {
  /** Documents of the whole corpus. */
  readonly documents: number;
  /** Share of them that is searched, 0..1. */
  readonly share: number;
  /** Share of those that pass the filters, 0..1. */
  readonly passing: number;
}

/** What a match that filters leave out takes of the time of one that is scored: 1.1 of 3.5 µs in memory, more where pages must be read. */
const LEFT_OUT_EFFORT = 0.4;

/** What so many matches in the whole corpus take where it is searched, in matches that are scored. */
export function effortOf(matches: number, { share, passing }: Searched): number {
  return matches * share * (passing + (1 - passing) * LEFT_OUT_EFFORT);
}

/** Share of all observations that the searched buckets hold, 0..1. */
export function searchedShare(buckets: readonly BucketSize[]): number {
  const all = entriesOf(buckets);
  return all === 0 ? 1 : entriesOf(buckets.filter((bucket) => bucket.searched)) / all;
}

/** Share of all observations that are of the kinds and countries of filters, 0..1; 1 for what is not known. */
export function passingShare({ kinds, countries }: SearchFilters, { sharesOf }: Lexicon): number {
  return sumOfShares(kinds, sharesOf.kind) * sumOfShares(countries, sharesOf.country);
}

function sumOfShares(values: readonly number[], shares: ReadonlyMap<number, number>): number {
  if (values.length === 0 || shares.size === 0) return 1;
  return Math.min(
    1,
    values.reduce((sum, value) => sum + (shares.get(value) ?? 0), 0),
  );
}

/** Observations in buckets. */
export function entriesOf(buckets: readonly BucketSize[]): number {
  return buckets.reduce((sum, bucket) => sum + bucket.entries, 0);
}
