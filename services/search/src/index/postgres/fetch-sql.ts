import type { Kind } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import type { Plan } from '@ces/proto/ces/search/v1/search_pb.ts';
import { filterConditions } from './filters.ts';
import type { Parameters } from './parameters.ts';
import type { RankStatement } from './rank-sql.ts';

/** Observations that descriptions fetch, the newest of each company, of the companies that fit best. */
const FITTING_OBSERVATIONS = 2000;
const OBSERVATIONS_OF_FITTING = 5;
/** Observations of a company that are held against marks, the newest. */
const MARKED_OF_FITTING = 100;
/** Companies looked through for them, the best. */
const FITTING_COMPANIES = 1000;
/** Observations fetched by their kind alone, where that is all that was asked for. */
const NEWEST_OF_KIND = 500;
const NEWEST_FIRST = 'order by i.occurred_at desc nulls last, i.observation_id';

/** What fetches observations without a word in common. */
export interface FetchSql {
  /** Common table expressions, the last one named `fetched`, on rows of `described`. */
  readonly tables: string;
  /** Whether there was more than was fetched. */
  readonly isCut: string;
}

/** Observations of companies that fit and, where that is all that was asked for, of a kind; inside the filters. */
export function fetchSql(statement: RankStatement, marked: string, parameters: Parameters): FetchSql {
  const fitting = `of_fitting as materialized (${ofFittingSql(statement, marked, parameters)}
)`;
  const isFittingCut = `(select count(*) from described) > ${FITTING_COMPANIES} or (select count(*) from of_fitting) = ${FITTING_OBSERVATIONS}`;
  if (namedKinds(statement.plan).length === 0 || !saysOnlyKind(statement.plan))
    return { tables: `${fitting}, fetched as not materialized (select * from of_fitting)`, isCut: isFittingCut };
  return {
    tables: `${fitting}, of_kind as materialized (${ofKindSql(statement, parameters)}
), fetched as materialized (select * from of_fitting union select * from of_kind)`,
    isCut: `${isFittingCut} or (select count(*) from of_kind) = ${NEWEST_OF_KIND}`,
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

/** The newest of a kind that was asked for alone. */
function ofKindSql({ plan, filters, horizon, now }: RankStatement, parameters: Parameters): string {
  return `
  select ${columnsOf('i')} from indexed i
   where not i.tombstone
     and ${filterConditions(filters, 'i', horizon, now, parameters)}${ofNamedKind(plan, parameters)}
   ${NEWEST_FIRST} limit ${NEWEST_OF_KIND}`;
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

/** Whether the activity is said by its kind alone ("executive departures at airlines"), so that any of the kind is an answer. */
function saysOnlyKind(plan: Plan): boolean {
  return plan.activity.every((term) => term.namesKinds.length > 0 || term.weight < 0.5);
}
