import type { Plan } from '@ces/proto/ces/search/v1/search_pb.ts';
import type { Scoring } from '../../../ranking/scoring.ts';
import { CONTEXT_FLOOR, CONTEXT_WEIGHT, ELSEWHERE_FACTOR, NO_WORD_FACTOR } from '../../../ranking/weights.ts';
import { candidateSql } from './candidate-sql.ts';
import { contextCandidatesSql } from './context-candidates-sql.ts';
import { factFactor } from './fact-factor-sql.ts';
import { exclusionConditions, phraseConditions } from './literal-sql.ts';
import { Parameters } from './parameters.ts';
import { avoidedFactor, kindFactor, placeGain, timeFactor } from './plan-factors-sql.ts';
import type { RankStatement } from './rank-statement.ts';
import { scoreSql, sumOf } from './score-sql.ts';
import { anyTerm } from './tsquery.ts';

/**
 * Builds one statement that finds matching companies, retrieves and scores observations, and
 * selects the best companies with their best observations.
 */
export function rankSql(statement: RankStatement): { text: string; values: unknown[] } {
  const { plan, scoring, retrieval, explain } = statement;
  const parameters = new Parameters();
  const own = scoreSql(scoring.own, 'e', 'o', parameters);
  const context = scoreSql(scoring.context, 'd', 'd', parameters);
  const literalConditions = literalSql(plan, parameters);
  const contextCandidates = contextCandidatesSql(statement, literalConditions, parameters);
  const text = `
with described as materialized (
  select company_id, ${sumOf(context.gains)} * ${CONTEXT_WEIGHT} as context, ${gainsColumn(context.parts, explain)} as context_gains
    from (select d.company_id, ${context.columns.join(', ')} from company_doc d
           where d.text @@ ${anyTerm(retrieval.context, parameters)}
             and coalesce(d.survivor_id = d.company_id, false) and not d.tombstone offset 0) d
), ${contextCandidates.tables}
, totalled as materialized (
  select observation_id, company_id, occurred_at, has_words, place > 0 as is_there, place * place_share as place, kind_factor,
         time_factor, avoided_factor, fact_factor, own, own_gains, context * context_share as context, context_share,
         context_gains, ${totalSql(statement)} as total
    from (select e.*, coalesce(context, 0) as context, context_gains, ${placeShare(scoring)} as place_share,
                 ${contextShare(scoring)} as context_share from (
      select observation_id, company_id, occurred_at, has_words, place, kind_factor, time_factor, avoided_factor, fact_factor,
             ${sumOf(own.gains)} as own, ${gainsColumn(own.parts, explain)} as own_gains
        from (
          select e.observation_id, e.company_id, e.occurred_at, e.has_words, ${own.columns.join(', ')},
                 ${placeGain(plan, scoring.placeGain, parameters)} as place, ${kindFactor(plan, parameters)} as kind_factor,
                 ${timeFactor(plan, parameters)} as time_factor, ${avoidedFactor(plan, parameters)} as avoided_factor,
                 ${factFactor(plan, parameters)} as fact_factor
            from (${candidateSql(statement, literalConditions, parameters)}) e
          offset 0) e
      offset 0) e left join described using (company_id)) e
), best_companies as materialized (
  select company_id, max(total) as best, max(occurred_at) as newest from totalled
   group by company_id order by best desc, newest desc nulls last, company_id limit ${parameters.add(statement.companies, 'int')}
), theirs as (
  select distinct on (observation_id) * from totalled join best_companies using (company_id)
   order by observation_id, total desc
), numbered as (
  select *, row_number() over (partition by company_id
                               order by total desc, occurred_at desc nulls last, observation_id) as nth
    from theirs
)
select observation_id, company_id, own, own_gains, context, context_gains, context_share, is_there, place, kind_factor, time_factor, avoided_factor, fact_factor,
       total, (select count(*) from totalled where has_words) as matched, ${contextCandidates.isCut} as retrieval_cut
  from numbered
 where nth <= ${parameters.add(statement.observationsPerCompany, 'int')}
 order by best desc, newest desc nulls last, company_id, nth`;
  return { text, values: parameters.values };
}

function totalSql({ plan, scoring }: RankStatement): string {
  const kindGain = `case when kind_factor > 1 then ${scoring.kindGain}::float8 else 0 end`;
  const elsewhere = plan.places.length > 0 ? ` * case when place > 0 then 1 else ${ELSEWHERE_FACTOR}::float8 end` : '';
  const unanswering = scoring.asksWords ? ` * case when own > 0 then 1 else ${NO_WORD_FACTOR}::float8 end` : '';
  return `(${scoring.base}::float8 + own + context * context_share + place * place_share + ${kindGain}) * kind_factor * time_factor * avoided_factor * fact_factor${elsewhere}${unanswering}`;
}

/** A place counts in proportion to the gain by words: a place by itself is no answer. */
function placeShare({ answeringGain }: Scoring): string {
  return answeringGain > 0 ? `least(1, (own + coalesce(context, 0)) / ${answeringGain}::float8)` : '1::float8';
}

/** A description counts more, the more the observation's own text gains. */
function contextShare({ answeringGain, saysItself }: Scoring): string {
  if (answeringGain <= 0 || !saysItself) return '1::float8';
  return `${CONTEXT_FLOOR}::float8 + ${1 - CONTEXT_FLOOR}::float8 * least(1, own / ${answeringGain}::float8)`;
}

function literalSql({ phrases, excluded }: Plan, parameters: Parameters): string {
  return [...phraseConditions(phrases, parameters), ...exclusionConditions(excluded, parameters)]
    .map((condition) => `\n      and ${condition}`)
    .join('');
}

function gainsColumn(parts: readonly string[], explain: boolean): string {
  return explain && parts.length > 0 ? `array[${parts.join(', ')}]::float8[]` : 'null::float8[]';
}
