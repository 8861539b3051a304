import { isTopicTerm } from '../../../ranking/plan-traits.ts';
import { UNDATED } from '../partitions/partitions.ts';
import type { Conjunction } from '../retrieval/conjunctive-retrieval.ts';
import { filterConditions, indexedFilterConditions, partitionCondition } from './filter-sql.ts';
import type { Parameters } from './parameters.ts';
import { anyPlace } from './plan-factors-sql.ts';
import type { RankStatement } from './rank-statement.ts';
import { anyTerm, conjunctionsText } from './tsquery.ts';

/**
 * Selects rows to score: matches of `entry` up to the limit, and context candidates. A row may
 * occur twice. `text` and `length` pass through unread, so that scoring runs once, above the
 * partition scans.
 */
export function candidateSql(statement: RankStatement, literalConditions: string, parameters: Parameters): string {
  const { plan, filters, retrieval } = statement;
  const terms = anyTerm(retrieval.own, parameters);
  const conjunctions = anyConjunction(retrieval.conjunctions, parameters);
  const matches = `e.text @@ (${[terms, ...conjunctions, ...inPlaces(statement, parameters)].join(' || ')})`;
  const newest = retrieval.oldestPartition
    ? ` and (e.bucket >= ${parameters.add(retrieval.oldestPartition, 'date')} or e.bucket = '${UNDATED}')`
    : '';
  const conditionsOf = retrieval.isFilteredByIndex ? indexedFilterConditions : filterConditions;
  const facts = plan.facts.length > 0 ? ', e.facts' : '';
  const columns = `e.observation_id, e.company_id, e.kind, e.country, e.occurred_at, e.length, e.text${facts}`;
  return `
     (select ${columns}, true as has_words from entry e
       where ${conditionsOf(filters, 'e', statement, parameters)}${newest} and ${matches}${literalConditions}
       limit ${parameters.add(retrieval.mostMatches + 1, 'bigint')})
     union all
     ${
       isTextNeeded(statement, literalConditions)
         ? `(select e.*, false from context_candidates c
       cross join lateral (
         select ${columns} from entry e
          where e.observation_id = c.observation_id and e.bucket = c.bucket
            and ${partitionCondition(filters, 'e', statement, parameters)}${literalConditions} offset 0) e)`
         : `(select observation_id, company_id, kind, country, occurred_at, 0, ''::tsvector, false from context_candidates)`
     }`;
}

/**
 * A place retrieves all its rows if no word asks for more. Otherwise it retrieves words that are
 * too frequent elsewhere.
 */
function inPlaces({ plan, scoring, retrieval }: RankStatement, parameters: Parameters): string[] {
  if (plan.places.length === 0) return [];
  const { terms } = scoring.own;
  if (!terms.some(isTopicTerm)) return [anyPlace(plan, parameters)];
  const left = terms.filter((term) => term.namesKinds.length === 0 && !retrieval.own.includes(term));
  return left.length > 0 ? [`(${anyTerm(left, parameters)} && ${anyPlace(plan, parameters)})`] : [];
}

/**
 * Whether text can change the score of context candidates. If all terms retrieve, matching rows are
 * already included.
 */
function isTextNeeded({ plan, scoring, retrieval }: RankStatement, literalConditions: string): boolean {
  const allRetrieve = retrieval.own.length === scoring.own.terms.length && !retrieval.oldestPartition;
  return (
    literalConditions !== '' ||
    plan.places.length > 0 ||
    plan.avoided.length > 0 ||
    plan.facts.length > 0 ||
    !allRetrieve
  );
}

function anyConjunction(conjunctions: readonly Conjunction[], parameters: Parameters): string[] {
  return conjunctions.length > 0 ? [parameters.add(conjunctionsText(conjunctions), 'tsquery')] : [];
}
