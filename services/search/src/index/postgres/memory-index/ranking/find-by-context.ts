import type { Plan } from '@ces/proto/ces/search/v1/search_pb.ts';
import { countriesOf, describedKinds, newestKinds, retrievesNewest } from '../../../../ranking/plan-traits.ts';
import { microsOf } from '../../../instants.ts';
import { countryIn, DEAD } from '../documents/observation-code.ts';
import { nthHighest } from '../documents/order.ts';
import type { MemoryIndexView } from '../memory-index.ts';
import type { DescribedCompanies } from './described-companies.ts';
import { newestObservations } from './newest-observations.ts';
import { type ObservationFilter, ofKinds, where } from './observation-filter.ts';

/** Descriptions retrieve at most this many observations, and the newest of each company. */
const DESCRIBED_OBSERVATIONS = 2000;
const OBSERVATIONS_OF_DESCRIBED = 5;
const DESCRIBED_COMPANIES = 1000;
/** Recency retrieves at most this many observations, if the query has no words. */
const NEWEST = 500;

export interface FoundByContext {
  readonly documents: readonly number[];
  readonly isCut: boolean;
}

export function findByContext(
  view: MemoryIndexView,
  plan: Plan,
  filter: ObservationFilter,
  described: DescribedCompanies,
): FoundByContext {
  const ofDescribed = newestOfDescribed(view, ofKinds(filter, describedKinds(plan)), described);
  const isCut = described.companies.length > DESCRIBED_COMPANIES || ofDescribed.length === DESCRIBED_OBSERVATIONS;
  if (!retrievesNewest(plan)) return { documents: ofDescribed, isCut };
  const newest = newestAsked(view, plan, ofKinds(filter, newestKinds(plan)));
  return { documents: [...new Set([...ofDescribed, ...newest])], isCut: isCut || newest.length >= NEWEST };
}

function newestOfDescribed(
  { observations: table, companyNumbers }: MemoryIndexView,
  { codes: passing, passes, from }: ObservationFilter,
  described: DescribedCompanies,
): number[] {
  const [codes, occurredAt] = [table.codes.values, table.occurredAt.values];
  const found: number[] = [];
  for (const company of bestDescribed(described, companyNumbers.ids.values)) {
    const most = Math.min(found.length + OBSERVATIONS_OF_DESCRIBED, DESCRIBED_OBSERVATIONS);
    const { numbers, codesThen, from: first, to } = table.newestOf(company);
    for (let at = first; at < to && found.length < most; at += 1) {
      if (passing[codesThen[at] ?? DEAD] !== 1) continue;
      const number = numbers[at] ?? 0;
      if ((occurredAt[number] ?? Number.NaN) < from) break;
      if (passing[codes[number] ?? DEAD] === 1 && passes(number)) found.push(number);
    }
    if (found.length === DESCRIBED_OBSERVATIONS) break;
  }
  return found;
}

function bestDescribed({ companies, gains }: DescribedCompanies, ids: Float64Array): number[] {
  const least = nthHighest(gains, DESCRIBED_COMPANIES);
  const slots: number[] = [];
  for (let slot = 0; slot < gains.length; slot += 1) if ((gains[slot] ?? 0) >= least) slots.push(slot);
  const idAt = (slot: number) => ids[companies[slot] ?? 0] ?? 0;
  return slots
    .sort((a, b) => (gains[b] ?? 0) - (gains[a] ?? 0) || idAt(a) - idAt(b))
    .slice(0, DESCRIBED_COMPANIES)
    .map((slot) => companies[slot] ?? 0);
}

/** Of the named kinds, or of the countries and the time; also those just before its end. */
function newestAsked(view: MemoryIndexView, plan: Plan, filter: ObservationFilter): number[] {
  const { observations: table } = view;
  const occurredAt = table.occurredAt.values;
  const codes = table.codes.values;
  const countries = new Set<number>(countriesOf(plan));
  const until = plan.until && microsOf(plan.until);
  const since = plan.since && microsOf(plan.since);
  const isBefore = (number: number) => until === undefined || (occurredAt[number] ?? Number.NaN) < until;
  const isAfter = (number: number) => since === undefined || (occurredAt[number] ?? Number.NaN) >= since;
  const isThere = (number: number) => countries.size === 0 || countries.has(countryIn(codes[number] ?? DEAD));
  const all = (admitted: ObservationFilter) => newestObservations(view, admitted, NEWEST);
  if (newestKinds(plan).length === 0)
    return all(where(filter, (number) => isBefore(number) && isAfter(number) && isThere(number)));
  if (until === undefined) return all(filter);
  return [...new Set([...all(filter), ...all(where(filter, isBefore))])];
}
