import path from 'node:path';
import type { RankedCompany } from '@ces/search/ranking/rank-companies';
import type { BlindScore } from './blind.ts';
import { type FilteredQuery, readLines } from './corpus.ts';
import { ndcg } from './measures.ts';

/**
 * Judgments cover the first ten companies of every compared ranking, by their observations of the
 * requested kind.
 */
export interface HeldOut extends FilteredQuery {
  readonly query_id: string;
  readonly set: string;
  readonly relevant: readonly number[];
  readonly irrelevant: readonly number[];
}

export function readHeldOut(): HeldOut[] {
  return readLines(path.join(import.meta.dirname, 'held-out.jsonl'));
}

/** nDCG@10 of the judged companies. Undefined if no company answers. */
export function scoreHeldOut(query: HeldOut, companies: readonly RankedCompany[]): BlindScore | undefined {
  if (query.relevant.length === 0) return undefined;
  const first = companies.slice(0, 10);
  const relevant = new Set(query.relevant.map(BigInt));
  const known = new Set([...query.relevant, ...query.irrelevant].map(BigInt));
  const judged = first.map(({ companyId }) => companyId).filter((id) => known.has(id));
  const gains = judged.map((id) => relevant.has(id));
  return { value: ndcg(gains, relevant.size, 10), unjudged: first.length - judged.length };
}
