import { compareInstants, newestFirst, nthHighest } from '../documents/order.ts';
import type { MemoryIndexView } from '../memory-index.ts';

interface Contender {
  readonly id: number;
  readonly best: number;
  newest: number;
  readonly slots: number[];
}

/** Positions grouped by company, the best company first; ties by the newest observation. */
export function bestOfBestCompanies(
  view: MemoryIndexView,
  documents: Int32Array,
  totals: Float64Array,
  companies: number,
  observationsPerCompany: number,
): number[] {
  const newer = newestFirst(view.observations);
  const order = (a: number, b: number) =>
    (totals[b] ?? 0) - (totals[a] ?? 0) || newer(documents[a] ?? 0, documents[b] ?? 0);
  return contendersOf(view, documents, totals, companies)
    .sort((a, b) => b.best - a.best || compareInstants(a.newest, b.newest) || a.id - b.id)
    .slice(0, companies)
    .flatMap(({ slots }) => slots.sort(order).slice(0, observationsPerCompany));
}

/** Discards most companies before collecting their observations. */
function contendersOf(
  { observations: table, companyNumbers, buffers }: MemoryIndexView,
  documents: Int32Array,
  totals: Float64Array,
  companies: number,
): Contender[] {
  const companyOf = table.companies.values;
  const { values, base } = buffers.slots(companyNumbers.size);
  const bests = buffers.floats(documents.length);
  let met = 0;
  for (let slot = 0; slot < documents.length; slot += 1) {
    const company = companyOf[documents[slot] ?? 0] ?? 0;
    const total = totals[slot] ?? 0;
    const at = (values[company] ?? 0) - base - 1;
    if (at < 0) {
      bests[met] = total;
      met += 1;
      values[company] = base + met;
    } else if (total > (bests[at] ?? 0)) bests[at] = total;
  }
  const least = nthHighest(bests.subarray(0, met), companies);
  const occurredAt = table.occurredAt.values;
  const ids = companyNumbers.ids.values;
  const contenders = new Map<number, Contender>();
  for (let slot = 0; slot < documents.length; slot += 1) {
    const document = documents[slot] ?? 0;
    const company = companyOf[document] ?? 0;
    const best = bests[(values[company] ?? 0) - base - 1] ?? 0;
    if (best < least) continue;
    let contender = contenders.get(company);
    if (!contender) {
      contender = { id: ids[company] ?? 0, best, newest: Number.NaN, slots: [] };
      contenders.set(company, contender);
    }
    contender.slots.push(slot);
    const at = occurredAt[document] ?? Number.NaN;
    if (compareInstants(at, contender.newest) < 0) contender.newest = at;
  }
  return [...contenders.values()];
}
