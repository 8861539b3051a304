import type { Kind } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import type { Plan } from '@ces/proto/ces/search/v1/search_pb.ts';
import type { Scoring } from '../../ranking/scoring.ts';
import type { WeighedTerm } from '../../ranking/weigh-terms.ts';
import { CONTEXT_WEIGHT, EARLIER_FACTOR, ELSEWHERE_FACTOR } from '../../ranking/weights.ts';
import type { RankingQuery } from '../observation-index.ts';
import { UNDATED } from './buckets.ts';
import { bucketCondition, filterConditions } from './filters.ts';
import { instantText } from './instants.ts';
import { exclusionConditions, phraseConditions } from './literal-sql.ts';
import { Parameters } from './parameters.ts';
import { scoreSql, sumOf } from './score-sql.ts';
import { anyLooselyOf } from './tsquery.ts';

/** Observations that descriptions fetch, the newest of each company, of the companies that fit best. */
const FITTING_OBSERVATIONS = 2000;
const OBSERVATIONS_OF_FITTING = 5;
/** Observations of a company that are held against marks, the newest. */
const MARKED_OF_FITTING = 100;
/** Companies looked through for them, the best. */
const FITTING_COMPANIES = 1000;
/** Observations fetched by their kind alone, where that is all that was asked for. */
const NEWEST_OF_KIND = 500;

/** All that a ranking statement is made of. */
export interface RankStatement extends RankingQuery {
  readonly scoring: Scoring;
  /** Matches scored at most. */
  readonly budget: number;
  readonly horizon: Date;
  readonly now: Date;
}

/** One statement: companies that fit, observations that match or are theirs, their scores, the best of each company. */
export function rankSql(statement: RankStatement): { text: string; values: unknown[] } {
  const { plan, scoring, explain } = statement;
  const parameters = new Parameters();
  const own = scoreSql(scoring.own, 'e', 'o', parameters);
  const context = scoreSql(scoring.context, 'd', 'd', parameters);
  const marked = markedSql(plan, parameters);
  const text = `
with described as materialized (
  select company_id, ${sumOf(context.gains)} * ${CONTEXT_WEIGHT} as context, ${gainsColumn(context.parts, explain)} as context_gains
    from (select d.company_id, ${context.columns.join(', ')} from company_doc d
           where d.text @@ ${anyTerm(scoring.context.fetching, parameters)}
             and d.survivor_id = d.company_id and not d.tombstone offset 0) d
), of_fitting as materialized (${ofFittingSql(statement, marked, parameters)}
), of_kind as materialized (${ofKindSql(statement, parameters)}
), fetched as materialized (select * from of_fitting union select * from of_kind
), matched as materialized (${matchedSql(statement, own.columns, marked, parameters)}
), scored as (
  select observation_id, company_id, occurred_at, place, kind_factor, time_factor, ${sumOf(own.gains)} as own,
         ${gainsColumn(own.parts, explain)} as own_gains, coalesce(context, 0) as context, context_gains
    from matched left join described using (company_id)
), totalled as (
  select *, (own + context + place + case when kind_factor > 1 then ${scoring.kindGain} else 0 end) * kind_factor
            * time_factor${plan.places.length > 0 ? ` * case when place > 0 then 1 else ${ELSEWHERE_FACTOR} end` : ''} as total
    from scored
), placed as (
  select *, row_number() over best_first as nth, max(total) over (partition by company_id) as best
    from totalled
  window best_first as (partition by company_id order by total desc, occurred_at desc nulls last, observation_id)
)
select observation_id, company_id, own, own_gains, context, context_gains, place, kind_factor, time_factor, total,
       (select count(*) from matched) as matched,
       (select count(*) from described) > ${FITTING_COMPANIES} or (select count(*) from of_fitting) = ${FITTING_OBSERVATIONS}
         or (select count(*) from of_kind) = ${NEWEST_OF_KIND} as fetch_cut
  from placed
 where nth <= ${parameters.add(statement.observationsPerCompany, 'int')}
 order by best desc, company_id, nth
 limit ${parameters.add(statement.companies * statement.observationsPerCompany, 'int')}`;
  return { text, values: parameters.values };
}

/** Phrases that must stand and words that must not, as conditions on a row of `entry e`. */
function markedSql({ phrases, excluded }: Plan, parameters: Parameters): string {
  return [...phraseConditions(phrases, parameters), ...exclusionConditions(excluded, parameters)]
    .map((condition) => `\n      and ${condition}`)
    .join('');
}

/**
 * The newest of companies that fit, without a word in common; where there are marks, the newest that they let through,
 * lest a few hide the rest.
 */
function ofFittingSql({ plan, filters, horizon, now }: RankStatement, marked: string, parameters: Parameters): string {
  const newest = `select i.observation_id, i.bucket, i.occurred_at from indexed i
      where i.company_id = d.company_id and not i.tombstone
        and ${filterConditions(filters, 'i', horizon, now, parameters)}${ofNamedKind(plan, parameters)}
      order by i.occurred_at desc nulls last, i.observation_id`;
  const shown = `select i.observation_id, i.bucket from (${newest} limit ${MARKED_OF_FITTING}) i
      where exists (select from entry e where e.observation_id = i.observation_id and e.bucket = i.bucket${marked})
      order by i.occurred_at desc nulls last, i.observation_id`;
  return `
  select newest.observation_id, newest.bucket
    from (select company_id from described order by context desc, company_id limit ${FITTING_COMPANIES}) d
   cross join lateral (
     ${marked ? shown : newest} limit ${OBSERVATIONS_OF_FITTING}) newest
   limit ${FITTING_OBSERVATIONS}`;
}

/** The newest of a kind that was asked for alone. */
function ofKindSql({ plan, filters, horizon, now }: RankStatement, parameters: Parameters): string {
  const isAsked = namedKinds(plan).length > 0 && saysOnlyKind(plan);
  return `
  select i.observation_id, i.bucket from indexed i
   where ${isAsked} and not i.tombstone
     and ${filterConditions(filters, 'i', horizon, now, parameters)}${ofNamedKind(plan, parameters)}
   order by i.occurred_at desc nulls last, i.observation_id limit ${NEWEST_OF_KIND}`;
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

/** Those that match, and those that were fetched: one by one from their bucket, whatever the planner thinks of a join. */
function matchedSql(
  statement: RankStatement,
  scores: readonly string[],
  marked: string,
  parameters: Parameters,
): string {
  const { plan, filters, scoring, horizon, now } = statement;
  const columns = `e.observation_id, e.company_id, e.occurred_at, ${scores.join(', ')},
         ${placeGain(plan, scoring.placeGain, parameters)} as place, ${kindFactor(plan, parameters)} as kind_factor,
         ${timeFactor(plan, parameters)} as time_factor`;
  const placeAlone = plan.places.length > 0 && scoring.own.terms.every((term) => term.namesKinds.length > 0);
  const fetching = anyTerm(scoring.own.fetching, parameters);
  const matches = `e.text @@ ${placeAlone ? `(${anyPlace(plan, parameters)} || ${fetching})` : fetching}`;
  const newest = scoring.oldestBucket
    ? ` and (e.bucket >= ${parameters.add(scoring.oldestBucket, 'date')} or e.bucket = '${UNDATED}')`
    : '';
  return `
  (select ${columns} from entry e
    where ${filterConditions(filters, 'e', horizon, now, parameters)}${newest} and ${matches}${marked}
    limit ${parameters.add(statement.budget, 'bigint')})
  union all
  (select e.* from fetched f
    cross join lateral (
      select ${columns} from entry e
       where e.observation_id = f.observation_id and e.bucket = f.bucket
         and ${bucketCondition(filters, 'e', horizon, now, parameters)} and not ${matches}${marked} offset 0) e)`;
}

function anyTerm(terms: readonly WeighedTerm[], parameters: Parameters): string {
  const phrases = terms.flatMap((term) => term.alternatives.flatMap((alternative) => alternative.phrases));
  return parameters.add(anyLooselyOf(phrases), 'tsquery');
}

function anyPlace(plan: Plan, parameters: Parameters): string {
  const names = plan.places.flatMap((place) => place.names);
  return `(${names.map((name) => `phraseto_tsquery('english', ${parameters.add(name, 'text')})`).join(' || ')})`;
}

function placeGain(plan: Plan, gain: number, parameters: Parameters): string {
  if (plan.places.length === 0) return '0::float8';
  const countries = plan.places.map((place) => place.country).filter((country) => country !== 0);
  const isThere = `e.text @@ ${anyPlace(plan, parameters)} or e.country = any(${parameters.add(countries, 'smallint[]')})`;
  return `case when ${isThere} then ${parameters.add(gain, 'float8')} else 0 end`;
}

function kindFactor(plan: Plan, parameters: Parameters): string {
  if (plan.kinds.length === 0) return '1::float8';
  const factors = plan.kinds.map(
    (kind) => `when ${parameters.add(kind.kind, 'int')} then ${parameters.add(kind.factor, 'float8')}`,
  );
  return `case e.kind ${factors.join(' ')} else 1 end`;
}

function timeFactor(plan: Plan, parameters: Parameters): string {
  if (!plan.since) return '1::float8';
  return `case when e.occurred_at < ${parameters.add(instantText(plan.since), 'timestamptz')} then ${EARLIER_FACTOR} else 1 end`;
}

function gainsColumn(parts: readonly string[], explain: boolean): string {
  return explain && parts.length > 0 ? `array[${parts.join(', ')}]::float8[]` : 'null::float8[]';
}
