import type { Timestamp } from '@bufbuild/protobuf/wkt';
import { Country, type Kind } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import type { Plan } from '@ces/proto/ces/search/v1/search_pb.ts';
import { instantText } from '../instants.ts';
import { filterConditions } from './filter-sql.ts';
import type { Parameters } from './parameters.ts';
import type { RankStatement } from './rank-sql.ts';

/** Observations that descriptions fetch, the newest of each company, of the companies that fit best. */
const FITTING_OBSERVATIONS = 2000;
const OBSERVATIONS_OF_FITTING = 5;
/** Observations of a company that are held against marks, the newest. */
const MARKED_OF_FITTING = 100;
/** Companies looked through for them, the best. */
const FITTING_COMPANIES = 1000;
/** Observations fetched without a word or a company that fits, where none was asked for. */
const NEWEST = 500;
const NEWEST_FIRST = 'order by i.occurred_at desc nulls last, i.observation_id';

/** What fetches observations without a word in common. */
export interface FetchSql {
  /** Common table expressions, the last one named `fetched`, on rows of `described`. */
  readonly tables: string;
  /** Whether there was more than was fetched. */
  readonly isCut: string;
}

/** Observations of companies that fit and, where no word asks for more than a kind, the newest; inside the filters. */
export function fetchSql(statement: RankStatement, marked: string, parameters: Parameters): FetchSql {
  const fitting = `of_fitting as materialized (${ofFittingSql(statement, marked, parameters)}
)`;
  const isFittingCut = `(select count(*) from described) > ${FITTING_COMPANIES} or (select count(*) from of_fitting) = ${FITTING_OBSERVATIONS}`;
  if (!asksForNewest(statement.plan))
    return { tables: `${fitting}, fetched as not materialized (select * from of_fitting)`, isCut: isFittingCut };
  return {
    tables: `${fitting}, newest as materialized (${newestSql(statement, parameters)}
), fetched as materialized (select * from of_fitting union select * from newest)`,
    isCut: `${isFittingCut} or (select count(*) from newest) >= ${NEWEST}`,
  };
}

/**
 * The newest of companies that fit, without a word in common; where there are marks, the newest that they let through,
 * lest a few hide the rest.
 */
function ofFittingSql({ plan, filters, horizon, now }: RankStatement, marked: string, parameters: Parameters): string {
  const newest = `select ${columnsOf('i')} from indexed i
      where i.company_id = d.company_id and not i.tombstone
        and ${filterConditions(filters, 'i', horizon, now, parameters)}${ofNamedKind(plan, parameters)}
      ${NEWEST_FIRST}`;
  const shown = `select ${columnsOf('i')} from (${newest} limit ${MARKED_OF_FITTING}) i
      where exists (select from entry e where e.observation_id = i.observation_id and e.bucket = i.bucket${marked})
      ${NEWEST_FIRST}`;
  return `
  select newest.*
    from (select company_id from described order by context desc, company_id limit ${FITTING_COMPANIES}) d
   cross join lateral (
     ${marked ? shown : newest} limit ${OBSERVATIONS_OF_FITTING}) newest
   limit ${FITTING_OBSERVATIONS}`;
}

/** The newest of the kinds that words name, or else of the countries and the time; those at the end of a time beside. */
function newestSql({ plan, filters, horizon, now }: RankStatement, parameters: Parameters): string {
  const countries = countriesOf(plan);
  const newest = (conditions: readonly string[]) => `
  (select ${columnsOf('i')} from indexed i
   where ${['not i.tombstone', filterConditions(filters, 'i', horizon, now, parameters), ...conditions].join(' and ')}${ofNamedKind(plan, parameters)}
   ${NEWEST_FIRST} limit ${NEWEST})`;
  const instant = (at: Timestamp) => parameters.add(instantText(at), 'timestamptz');
  const until = plan.until ? [`i.occurred_at < ${instant(plan.until)}`] : [];
  if (namedKinds(plan).length > 0) return until.length > 0 ? `${newest([])} union ${newest(until)}` : newest([]);
  return newest([
    ...until,
    ...(plan.since ? [`i.occurred_at >= ${instant(plan.since)}`] : []),
    ...(countries.length > 0 ? [`i.country = any(${parameters.add(countries, 'smallint[]')})`] : []),
  ]);
}

function columnsOf(row: string): string {
  return ['observation_id', 'bucket', 'company_id', 'kind', 'country', 'occurred_at']
    .map((name) => `${row}.${name}`)
    .join(', ');
}

function namedKinds(plan: Plan): Kind[] {
  return plan.kinds.filter((kind) => kind.factor > 1).map((kind) => kind.kind);
}

function ofNamedKind(plan: Plan, parameters: Parameters): string {
  const named = namedKinds(plan);
  return named.length > 0 ? ` and i.kind = any(${parameters.add(named, 'smallint[]')})` : '';
}

/**
 * Whether words fetch nothing by themselves: the activity is said by its kind alone ("executive departures at airlines"),
 * so that any of the kind is an answer, or there is none ("in Canada"), so that anything inside the filters is.
 * What lies in a smaller place is found by the text alone.
 */
function asksForNewest(plan: Plan): boolean {
  const saysOnlyKind = plan.activity.every((term) => term.namesKinds.length > 0 || term.weight < 0.5);
  const hasWords = plan.activity.length + plan.description.length > 0;
  const saysNothing = !hasWords && (plan.places.length === 0 || countriesOf(plan).length > 0);
  return saysOnlyKind && (namedKinds(plan).length > 0 || saysNothing);
}

function countriesOf({ places }: Plan): Country[] {
  return places.map((place) => place.country).filter((country) => country !== Country.UNSPECIFIED);
}
