import { compareInstants, newestFirst } from './find-by-context.ts';
import type { ObservationTable } from './observation-table.ts';

interface Company {
  readonly id: number;
  best: number;
  newest: number;
}

/**
 * Places in `documents` of the best observations of the best companies, company by company: by their best one, equal ones by
 * their newest, as `rankSql` has the database order them.
 */
export function bestOfBestCompanies(
  table: ObservationTable,
  documents: readonly number[],
  totals: Float64Array,
  companies: number,
  observationsPerCompany: number,
): number[] {
  const best = bestCompanies(table, documents, totals, companies);
  const placesOf = new Map<number, number[]>(best.map(({ id }) => [id, []]));
  const companyIds = table.companyIds.values;
  for (const [place, document] of documents.entries()) placesOf.get(companyIds[document] ?? 0)?.push(place);
  const newer = newestFirst(table);
  const order = (a: number, b: number) =>
    (totals[b] ?? 0) - (totals[a] ?? 0) || newer(documents[a] ?? 0, documents[b] ?? 0);
  return best.flatMap(({ id }) => (placesOf.get(id) ?? []).sort(order).slice(0, observationsPerCompany));
}

function bestCompanies(
  table: ObservationTable,
  documents: readonly number[],
  totals: Float64Array,
  most: number,
): Company[] {
  const companyIds = table.companyIds.values;
  const occurredAt = table.occurredAt.values;
  const found = new Map<number, Company>();
  for (const [place, document] of documents.entries()) {
    const id = companyIds[document] ?? 0;
    const total = totals[place] ?? 0;
    const at = occurredAt[document] ?? Number.NaN;
    const company = found.get(id);
    if (company === undefined) {
      found.set(id, { id, best: total, newest: at });
      continue;
    }
    if (total > company.best) company.best = total;
    if (compareInstants(at, company.newest) < 0) company.newest = at;
  }
  const least = leastOfBest([...found.values()], most);
  return [...found.values()]
    .filter(({ best }) => best >= least)
    .sort((a, b) => b.best - a.best || compareInstants(a.newest, b.newest) || a.id - b.id)
    .slice(0, most);
}

/** The score that so many companies reach: only these need an order. */
function leastOfBest(companies: readonly Company[], most: number): number {
  if (companies.length <= most) return Number.NEGATIVE_INFINITY;
  const scores = Float64Array.from(companies, ({ best }) => best).sort();
  return scores[scores.length - most] ?? Number.NEGATIVE_INFINITY;
}
