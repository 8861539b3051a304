import type { CopiedDocuments } from './copied-index.ts';
import type { ObservationTable } from './observation-table.ts';
import { compareInstants, leastOfHighest, newestFirst } from './order.ts';
import type { Scratch } from './scratch.ts';

/**
 * Places in `documents` of the best observations of the best companies, company by company: by their best one, equal ones by
 * their newest, as `rankSql` has the database order them.
 */
export function bestOfBestCompanies(
  { observations: table, scratch }: CopiedDocuments,
  documents: readonly number[],
  totals: Float64Array,
  companies: number,
  observationsPerCompany: number,
): number[] {
  const best = bestCompanies(table, scratch, documents, totals, companies);
  const placesOf = new Map<number, number[]>(best.map((company) => [company, []]));
  const companyOf = table.companies.values;
  for (const [place, document] of documents.entries()) placesOf.get(companyOf[document] ?? 0)?.push(place);
  const newer = newestFirst(table);
  const order = (a: number, b: number) =>
    (totals[b] ?? 0) - (totals[a] ?? 0) || newer(documents[a] ?? 0, documents[b] ?? 0);
  return best.flatMap((company) => (placesOf.get(company) ?? []).sort(order).slice(0, observationsPerCompany));
}

/** Numbers of the companies, the best first. */
function bestCompanies(
  table: ObservationTable,
  scratch: Scratch,
  documents: readonly number[],
  totals: Float64Array,
  most: number,
): number[] {
  const [companyOf, occurredAt, ids] = [table.companies.values, table.occurredAt.values, table.companyIds.values];
  const bestOf = scratch.floats(table.companyCount, Number.NEGATIVE_INFINITY);
  const newestOf = scratch.floats(table.companyCount, Number.NaN);
  const found: number[] = [];
  for (const [place, document] of documents.entries()) {
    const company = companyOf[document] ?? 0;
    const total = totals[place] ?? 0;
    const best = bestOf[company] ?? 0;
    if (best === Number.NEGATIVE_INFINITY) found.push(company);
    if (total > best) bestOf[company] = total;
    const at = occurredAt[document] ?? Number.NaN;
    if (compareInstants(at, newestOf[company] ?? Number.NaN) < 0) newestOf[company] = at;
  }
  const least = leastOfHighest(
    Float64Array.from(found, (company) => bestOf[company] ?? 0),
    most,
  );
  const order = (a: number, b: number) =>
    (bestOf[b] ?? 0) - (bestOf[a] ?? 0) ||
    compareInstants(newestOf[a] ?? Number.NaN, newestOf[b] ?? Number.NaN) ||
    (ids[a] ?? 0) - (ids[b] ?? 0);
  return found
    .filter((company) => (bestOf[company] ?? 0) >= least)
    .sort(order)
    .slice(0, most);
}
