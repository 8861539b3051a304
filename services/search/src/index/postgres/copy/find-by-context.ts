import { asksForNewest, countriesOf, kindsOfDescribed, namedKinds } from '../../../ranking/asked.ts';
import { microsOf } from '../../instants.ts';
import {
  DESCRIBED_COMPANIES,
  DESCRIBED_OBSERVATIONS,
  NEWEST,
  OBSERVATIONS_OF_DESCRIBED,
} from '../statement/context-candidates-sql.ts';
import type { RankStatement } from '../statement/rank-statement.ts';
import type { Admission } from './admission.ts';
import type { DescribedCompanies } from './described-companies.ts';
import type { ObservationTable } from './observation-table.ts';
import { leastOfHighest, newestFirst } from './order.ts';

/** Observations that need not have a word of the query, by number. */
export interface FoundByContext {
  readonly documents: readonly number[];
  /** Whether there was more than was retrieved. */
  readonly isCut: boolean;
}

/** The same as `contextCandidatesSql` has the database find, but for what must be found word for word. */
export function findByContext(
  table: ObservationTable,
  { plan }: RankStatement,
  admits: Admission,
  described: DescribedCompanies,
): FoundByContext {
  const ofDescribed = newestOfDescribed(table, ofKinds(table, kindsOfDescribed(plan), admits), described);
  const isCut = described.ids.length > DESCRIBED_COMPANIES || ofDescribed.length === DESCRIBED_OBSERVATIONS;
  if (!asksForNewest(plan)) return { documents: ofDescribed, isCut };
  const newest = newestAsked(table, plan, ofKinds(table, namedKinds(plan), admits));
  return { documents: [...new Set([...ofDescribed, ...newest])], isCut: isCut || newest.length >= NEWEST };
}

function ofKinds(table: ObservationTable, kinds: readonly number[], admits: Admission): Admission {
  if (kinds.length === 0) return admits;
  const asked = new Set(kinds);
  const kindOf = table.kinds.values;
  return (number) => asked.has(kindOf[number] ?? 0) && admits(number);
}

function newestOfDescribed(table: ObservationTable, admits: Admission, described: DescribedCompanies): number[] {
  const [last, previous] = [table.lastOfCompany.values, table.previousOfCompany.values];
  const isNewer = newestFirst(table);
  const found: number[] = [];
  for (const id of bestDescribed(described)) {
    const company = table.companyNumberOf(id);
    const newest: number[] = [];
    for (let at = company === undefined ? -1 : (last[company] ?? -1); at >= 0; at = previous[at] ?? -1)
      if (admits(at)) insert(newest, at, isNewer);
    found.push(...newest.slice(0, DESCRIBED_OBSERVATIONS - found.length));
    if (found.length === DESCRIBED_OBSERVATIONS) break;
  }
  return found;
}

/** Ids of those that fit best, the best first. */
function bestDescribed({ ids, gains }: DescribedCompanies): number[] {
  const least = leastOfHighest(gains, DESCRIBED_COMPANIES);
  const places = [...ids.keys()].filter((place) => (gains[place] ?? 0) >= least);
  return places
    .sort((a, b) => (gains[b] ?? 0) - (gains[a] ?? 0) || (ids[a] ?? 0) - (ids[b] ?? 0))
    .slice(0, DESCRIBED_COMPANIES)
    .map((place) => ids[place] ?? 0);
}

/** Keeps the first few in order. */
function insert(few: number[], number: number, order: (a: number, b: number) => number): void {
  let at = few.length;
  while (at > 0 && order(number, few[at - 1] ?? 0) < 0) at -= 1;
  if (at >= OBSERVATIONS_OF_DESCRIBED) return;
  few.splice(at, 0, number);
  if (few.length > OBSERVATIONS_OF_DESCRIBED) few.pop();
}

/** The newest of the kinds that words name, or else of the countries and the time; those at the end of a time beside. */
function newestAsked(table: ObservationTable, plan: RankStatement['plan'], admits: Admission): number[] {
  const occurredAt = table.occurredAt.values;
  const countryOf = table.countries.values;
  const countries = new Set<number>(countriesOf(plan));
  const until = plan.until && microsOf(plan.until);
  const since = plan.since && microsOf(plan.since);
  const isBefore: Admission = (number) => until === undefined || (occurredAt[number] ?? Number.NaN) < until;
  const isAfter: Admission = (number) => since === undefined || (occurredAt[number] ?? Number.NaN) >= since;
  const isThere: Admission = (number) => countries.size === 0 || countries.has(countryOf[number] ?? 0);
  const all = (admitted: Admission) => newestOf(table, admitted, NEWEST);
  if (namedKinds(plan).length === 0)
    return all((number) => admits(number) && isBefore(number) && isAfter(number) && isThere(number));
  if (until === undefined) return all(admits);
  return [...new Set([...all(admits), ...all((number) => admits(number) && isBefore(number))])];
}

function newestOf(table: ObservationTable, admits: Admission, most: number): number[] {
  const order = newestFirst(table);
  const found: number[] = [];
  let last: number | undefined;
  for (let number = 0; number < table.size; number += 1) {
    if (!admits(number) || (last !== undefined && order(number, last) > 0)) continue;
    found.push(number);
    if (found.length < most * 4) continue;
    found.sort(order).splice(most);
    last = found.at(-1);
  }
  return found.sort(order).slice(0, most);
}
