import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Kind } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import type { RankedCompany } from '@ces/search/ranking/rank-companies';
import { kindNamed } from './corpus.ts';
import { ndcg } from './measures.ts';
import type { FilteredQuery } from './score-query.ts';

/**
 * Judgments cover the first ten companies of every compared ranking, by their observations of the
 * requested kind.
 */
export interface HeldOut extends FilteredQuery {
  readonly query_id: string;
  readonly set: string;
  readonly kind: string;
  readonly relevant: readonly number[];
  readonly irrelevant: readonly number[];
}

export interface HeldOutScore {
  readonly query: HeldOut;
  readonly ndcg: number;
  readonly kindPrecision: number;
  readonly unjudged: number;
}

export const HELD_OUT_QUERIES = path.join(import.meta.dirname, 'held-out.jsonl');

export function readHeldOut(file = HELD_OUT_QUERIES): HeldOut[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as HeldOut);
}

export function scoreHeldOut(
  query: HeldOut,
  companies: readonly RankedCompany[],
  kindOf: (observationId: bigint) => Kind | undefined,
): HeldOutScore {
  const first = companies.slice(0, 10);
  const relevant = new Set(query.relevant.map(BigInt));
  const known = new Set([...query.relevant, ...query.irrelevant].map(BigInt));
  const judged = first.map(({ companyId }) => companyId).filter((id) => known.has(id));
  const kind = kindNamed(query.kind);
  const carriers = first.filter(({ hits }) => hits.some(({ observationId }) => kindOf(observationId) === kind));
  return {
    query,
    ndcg: ndcg(
      judged.map((id) => relevant.has(id)),
      relevant.size,
      10,
    ),
    kindPrecision: first.length === 0 ? 0 : carriers.length / first.length,
    unjudged: first.length - judged.length,
  };
}
