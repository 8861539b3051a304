import type { Plan, SearchFilters } from '@ces/proto/ces/search/v1/search_pb.ts';
import type { WeighedTerm } from '../../ranking/weigh-terms.ts';
import { filterConditions } from './filters.ts';
import { instantText } from './instants.ts';
import { exclusionConditions, phraseConditions } from './literal-sql.ts';
import { Parameters } from './parameters.ts';
import { scoreSql } from './score-sql.ts';
import { anyOf } from './tsquery.ts';

/** Companies that a description fetches on its own. */
const DESCRIBED_COMPANIES = 500;
/** What a company's description counts beside the text of its observation. */
export const CONTEXT_WEIGHT = 0.75;
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

/** One statement: described companies, the observations that match or are theirs, their scores, the best of each company. */
export function rankSql(statement: RankStatement): { text: string; values: unknown[] } {
  const parameters = new Parameters();
  const own = scoreSql(statement.own, 'e', 'o', statement.meanLength, parameters);
  const context = scoreSql(statement.context, 'd', 'd', statement.meanCompanyLength, parameters);
  const conditions = [
    filterConditions(statement.filters, statement.horizon, statement.now, parameters),
    matchCondition(statement, parameters),
    ...phraseConditions(statement.plan.phrases, parameters),
    ...exclusionConditions(statement.plan.excluded, parameters),
  ];
  const text = `
with described as materialized (
  select company_id, ${context.score} as context
    from (select d.company_id, ${context.columns.join(', ')} from company_doc d
           where d.text @@ ${matchQuery(statement.matchContext, parameters)}
             and d.survivor_id = d.company_id and not d.tombstone offset 0) d
), matched as materialized (
  select e.observation_id, e.company_id, e.occurred_at, ${own.columns.join(', ')},
         ${placePart(statement, parameters)} as place, ${factorPart(statement.plan, parameters)} as factor
    from entry e
   where ${conditions.join('\n     and ')}
   limit ${parameters.add(statement.budget, 'bigint')}
), scored as (
  select observation_id, company_id, occurred_at, ${own.score} as own, place, factor,
         coalesce(context, 0) * ${CONTEXT_WEIGHT} as context
    from matched left join described using (company_id)
), totalled as (
  select *, (own + place) * factor + context as total from scored
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

/** What fetches candidates: words of the activity, or companies that fit; without words the place, then anything of a kind. */
function matchCondition(statement: RankStatement, parameters: Parameters): string {
  const fitting = `e.company_id = any(array(select company_id from described order by context desc, company_id
     limit ${DESCRIBED_COMPANIES}))`;
  if (statement.own.length > 0) return `(e.text @@ ${matchQuery(statement.matchOwn, parameters)} or ${fitting})`;
  if (statement.plan.places.length > 0) return `(e.text @@ ${placeQuery(statement.plan, parameters)} or ${fitting})`;
  if (statement.plan.kinds.length > 0) {
    const named = statement.plan.kinds.filter((kind) => kind.factor >= 1).map((kind) => kind.kind);
    return `e.kind = any(${parameters.add(named, 'smallint[]')})`;
  }
  return 'true';
}

function matchQuery(terms: readonly WeighedTerm[], parameters: Parameters): string {
  const phrases = terms.flatMap((term) => [...term.lexemes.map((lexeme) => [lexeme]), ...term.related]);
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
