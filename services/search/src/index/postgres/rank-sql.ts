import type { Plan, SearchFilters } from '@ces/proto/ces/search/v1/search_pb.ts';
import type { WeighedTerm } from '../../ranking/weigh-terms.ts';
import { filterConditions } from './filters.ts';
import { instantText } from './instants.ts';
import { exclusionConditions, phraseConditions } from './literal-sql.ts';
import { Parameters } from './parameters.ts';
import { scoreSql } from './score-sql.ts';
import { anyOf } from './tsquery.ts';

/** Observations that descriptions fetch, the newest of each company, of the companies that fit best. */
const FITTING_OBSERVATIONS = 2000;
const OBSERVATIONS_OF_FITTING = 5;
/** Observations of a kind named in words that are fetched without a word in common. */
const NEWEST_OF_KIND = 500;
/** What a company's description counts beside the text of its observation. */
export const CONTEXT_WEIGHT = 0.75;
/** What being of a kind named in words gives, as much as a rare word. */
export const NAMED_KIND_GAIN = 6;
/** Factor on what lies outside every place that the words name. */
const ELSEWHERE = 0.3;
/** Factor on what happened before the instant that the words ask for. */
const BEFORE_SINCE = 0.5;

/** All that a ranking statement is made of. */
export interface RankStatement {
  readonly plan: Plan;
  readonly filters: SearchFilters;
  readonly own: readonly WeighedTerm[];
  readonly context: readonly WeighedTerm[];
  readonly matchOwn: readonly WeighedTerm[];
  readonly matchContext: readonly WeighedTerm[];
  readonly meanLength: number;
  readonly meanCompanyLength: number;
  readonly placeWeight: number;
  readonly budget: number;
  readonly companies: number;
  readonly observationsPerCompany: number;
  readonly horizon: Date;
  readonly now: Date;
}

/** One statement: companies that fit, observations that match or are theirs, their scores, the best of each company. */
export function rankSql(statement: RankStatement): { text: string; values: unknown[] } {
  const { plan, filters, horizon, now } = statement;
  const parameters = new Parameters();
  const own = scoreSql(statement.own, 'e', 'o', statement.meanLength, parameters);
  const context = scoreSql(statement.context, 'd', 'd', statement.meanCompanyLength, parameters);
  const marked = [...phraseConditions(plan.phrases, parameters), ...exclusionConditions(plan.excluded, parameters)]
    .map((condition) => ` and ${condition}`)
    .join('');
  const inFilters = filterConditions(filters, 'i', horizon, now, parameters);
  const columns = `e.observation_id, e.company_id, e.occurred_at, ${own.columns.join(', ')},
         ${placePart(statement, parameters)} as place, ${factorPart(plan, parameters)} as factor`;
  const match = matchCondition(statement, parameters);
  const asked = askedKinds(plan, parameters);
  const text = `
with described as materialized (
  select company_id, ${context.score} * ${CONTEXT_WEIGHT} as context
    from (select d.company_id, ${context.columns.join(', ')} from company_doc d
           where d.text @@ ${matchQuery(statement.matchContext, parameters)}
             and d.survivor_id = d.company_id and not d.tombstone offset 0) d
), fetched as materialized (
  (select newest.observation_id, newest.bucket
     from (select company_id from described order by context desc, company_id) d
    cross join lateral (
      select i.observation_id, i.bucket from indexed i
       where not i.tombstone and i.company_id = d.company_id and ${inFilters}${asked && ` and ${asked}`}
       order by i.occurred_at desc nulls last, i.observation_id limit ${OBSERVATIONS_OF_FITTING}) newest
    limit ${FITTING_OBSERVATIONS})${
      asked && saysOnlyKind(plan)
        ? `
  union
  (select i.observation_id, i.bucket from indexed i
    where not i.tombstone and ${inFilters} and ${asked}
    order by i.occurred_at desc nulls last, i.observation_id limit ${NEWEST_OF_KIND})`
        : ''
    }
), matched as materialized (
  (select ${columns} from entry e
    where ${filterConditions(filters, 'e', horizon, now, parameters)} and ${match}${marked}
    limit ${parameters.add(statement.budget, 'bigint')})
  union all
  (select ${columns} from fetched join entry e using (observation_id, bucket) where not ${match}${marked})
), scored as (
  select observation_id, company_id, occurred_at, ${own.score} as own, place, factor, coalesce(context, 0) as context
    from matched left join described using (company_id)
), totalled as (
  select *, (own + place + context + case when factor > 1 then ${NAMED_KIND_GAIN} else 0 end) * factor${
    plan.places.length > 0 ? ` * case when place > 0 then 1 else ${ELSEWHERE} end` : ''
  } as total from scored
), placed as (
  select *, row_number() over best_first as nth, max(total) over (partition by company_id) as best
    from totalled
  window best_first as (partition by company_id order by total desc, occurred_at desc nulls last, observation_id)
)
select observation_id, company_id, own, place, factor, context, total, (select count(*) from matched) as matched
  from placed
 where nth <= ${parameters.add(statement.observationsPerCompany, 'int')}
 order by best desc, company_id, nth
 limit ${parameters.add(statement.companies * statement.observationsPerCompany, 'int')}`;
  return { text, values: parameters.values };
}

/** What fetches candidates: words of the activity, and without any the place. */
function matchCondition(statement: RankStatement, parameters: Parameters): string {
  if (statement.own.length === 0 && statement.plan.places.length > 0)
    return `e.text @@ ${placeQuery(statement.plan, parameters)}`;
  return `e.text @@ ${matchQuery(statement.matchOwn, parameters)}`;
}

/** Where kinds are named in words, only observations of those are fetched without a word in common. */
function askedKinds(plan: Plan, parameters: Parameters): string {
  const named = plan.kinds.filter((kind) => kind.factor > 1).map((kind) => kind.kind);
  return named.length > 0 ? `i.kind = any(${parameters.add(named, 'smallint[]')})` : '';
}

/** Whether the activity is said by its kind alone ("executive departures at airlines"), so that any of the kind is an answer. */
function saysOnlyKind(plan: Plan): boolean {
  return plan.activity.every((term) => term.weight < 0.5);
}

function matchQuery(terms: readonly WeighedTerm[], parameters: Parameters): string {
  const phrases = terms.flatMap((term) => term.alternatives.flatMap((alternative) => alternative.phrases));
  return parameters.add(anyOf(phrases), 'tsquery');
}

function placeQuery(plan: Plan, parameters: Parameters): string {
  const names = plan.places.flatMap((place) => place.names);
  return `(${names.map((name) => `phraseto_tsquery('english', ${parameters.add(name, 'text')})`).join(' || ')})`;
}

function placePart(statement: RankStatement, parameters: Parameters): string {
  if (statement.plan.places.length === 0) return '0::float8';
  const countries = statement.plan.places.map((place) => place.country).filter((country) => country !== 0);
  return `case when e.text @@ ${placeQuery(statement.plan, parameters)}
      or e.country = any(${parameters.add(countries, 'smallint[]')}) then ${parameters.add(statement.placeWeight, 'float8')} else 0 end`;
}

function factorPart(plan: Plan, parameters: Parameters): string {
  const factors = plan.kinds.map(
    (kind) => `when ${parameters.add(kind.kind, 'int')} then ${parameters.add(kind.factor, 'float8')}`,
  );
  const byKind = factors.length > 0 ? `case e.kind ${factors.join(' ')} else 1 end` : '1';
  const byTime = plan.since
    ? ` * case when e.occurred_at < ${parameters.add(instantText(plan.since), 'timestamptz')} then ${BEFORE_SINCE} else 1 end`
    : '';
  return `(${byKind}${byTime})::float8`;
}
