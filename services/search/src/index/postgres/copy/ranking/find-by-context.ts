import { asksForNewest, countriesOf, kindsOfDescribed, kindsOfNewest } from '../../../../ranking/asked.ts';
import { microsOf } from '../../../instants.ts';
import {
  DESCRIBED_COMPANIES,
  DESCRIBED_OBSERVATIONS,
  NEWEST,
  OBSERVATIONS_OF_DESCRIBED,
} from '../../statement/context-candidates-sql.ts';
import type { RankStatement } from '../../statement/rank-statement.ts';
import type { SearchedCopy } from '../copied-index.ts';
import { countryIn, DEAD } from '../documents/observation-code.ts';
import { leastOfHighest } from '../documents/order.ts';
import { type Admission, ofKinds, where } from './admission.ts';
import type { DescribedCompanies } from './described-companies.ts';
import { newestObservations } from './newest-observations.ts';

export interface FoundByContext {
  readonly documents: readonly number[];
  readonly isCut: boolean;
}

/** Equals `contextCandidatesSql`, but without literal conditions. */
export function findByContext(
  copy: SearchedCopy,
  { plan }: RankStatement,
  admission: Admission,
  described: DescribedCompanies,
): FoundByContext {
  const ofDescribed = newestOfDescribed(copy, ofKinds(admission, kindsOfDescribed(plan)), described);
  const isCut = described.companies.length > DESCRIBED_COMPANIES || ofDescribed.length === DESCRIBED_OBSERVATIONS;
  if (!asksForNewest(plan)) return { documents: ofDescribed, isCut };
  const newest = newestAsked(copy, plan, ofKinds(admission, kindsOfNewest(plan)));
  return { documents: [...new Set([...ofDescribed, ...newest])], isCut: isCut || newest.length >= NEWEST };
}

function newestOfDescribed(
  { observations: table, companyNumbers }: SearchedCopy,
  { codes: passing, passes, from }: Admission,
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
  const least = leastOfHighest(gains, DESCRIBED_COMPANIES);
  const places: number[] = [];
  for (let place = 0; place < gains.length; place += 1) if ((gains[place] ?? 0) >= least) places.push(place);
  const idAt = (place: number) => ids[companies[place] ?? 0] ?? 0;
  return places
    .sort((a, b) => (gains[b] ?? 0) - (gains[a] ?? 0) || idAt(a) - idAt(b))
    .slice(0, DESCRIBED_COMPANIES)
    .map((place) => companies[place] ?? 0);
}

/**
 * Selects the newest of the named kinds, or of the countries and the time. With an end of the time,
 * also those just before it.
 */
function newestAsked(copy: SearchedCopy, plan: RankStatement['plan'], admission: Admission): number[] {
  const { observations: table } = copy;
  const occurredAt = table.occurredAt.values;
  const codes = table.codes.values;
  const countries = new Set<number>(countriesOf(plan));
  const until = plan.until && microsOf(plan.until);
  const since = plan.since && microsOf(plan.since);
  const isBefore = (number: number) => until === undefined || (occurredAt[number] ?? Number.NaN) < until;
  const isAfter = (number: number) => since === undefined || (occurredAt[number] ?? Number.NaN) >= since;
  const isThere = (number: number) => countries.size === 0 || countries.has(countryIn(codes[number] ?? DEAD));
  const all = (admitted: Admission) => newestObservations(copy, admitted, NEWEST);
  if (kindsOfNewest(plan).length === 0)
    return all(where(admission, (number) => isBefore(number) && isAfter(number) && isThere(number)));
  if (until === undefined) return all(admission);
  return [...new Set([...all(admission), ...all(where(admission, isBefore))])];
}
