import type { RankedHit } from '../index/observation-index.ts';

/** A company of the ranking with its observations, the best first. */
export interface RankedCompany {
  readonly companyId: bigint;
  readonly score: number;
  readonly hits: readonly RankedHit[];
}

/** Companies by their best observation, ties in the order of the hits. */
export function groupByCompany(hits: readonly RankedHit[]): RankedCompany[] {
  const byCompany = Map.groupBy(hits, (hit) => hit.companyId);
  const companies = [...byCompany].map(([companyId, own]) => ({
    companyId,
    score: Math.max(...own.map((hit) => hit.score)),
    hits: own,
  }));
  return companies.toSorted((a, b) => b.score - a.score);
}
