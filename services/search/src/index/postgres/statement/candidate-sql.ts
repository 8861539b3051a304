import type { LexemePhrase, WeighedTerm } from '../../../ranking/weigh-terms.ts';
import { UNDATED } from '../partitions/partitions.ts';
import type { Conjunction } from '../retrieval/conjunctive-retrieval.ts';
import { bucketCondition, filterConditions } from './filter-sql.ts';
import type { Parameters } from './parameters.ts';
import { anyPlace } from './plan-factors-sql.ts';
import type { RankStatement } from './rank-sql.ts';
import { anyLooselyOf } from './tsquery.ts';

/**
 * Rows to be scored: `entry` by its words, at most as many as the budget, and what was fetched without; a row may come
 * by both ways. `text` and `length` pass through unread, so that each is scored once and above all partitions.
 */
export function candidateSql(statement: RankStatement, marked: string, parameters: Parameters): string {
  const { filters, scoring, horizon, now } = statement;
  const fetching = anyTerm(scoring.own.fetching, parameters);
  const together = anyTogether(scoring.together, parameters);
  const matches = `e.text @@ (${[fetching, ...together, ...inPlaces(statement, parameters)].join(' || ')})`;
  const newest = scoring.oldestBucket
    ? ` and (e.bucket >= ${parameters.add(scoring.oldestBucket, 'date')} or e.bucket = '${UNDATED}')`
    : '';
  const columns = 'e.observation_id, e.company_id, e.kind, e.country, e.occurred_at, e.length, e.text';
  return `
     (select ${columns}, true as has_words from entry e
       where ${filterConditions(filters, 'e', horizon, now, parameters)}${newest} and ${matches}${marked}
       limit ${parameters.add(statement.budget, 'bigint')})
     union all
     ${
       isTextAsked(statement, marked)
         ? `(select e.*, false from fetched f
       cross join lateral (
         select ${columns} from entry e
          where e.observation_id = f.observation_id and e.bucket = f.bucket
            and ${bucketCondition(filters, 'e', horizon, now, parameters)}${marked} offset 0) e)`
         : `(select observation_id, company_id, kind, country, occurred_at, 0, ''::tsvector, false from fetched)`
     }`;
}

/** What a place fetches: all in it where no word asks for anything else, or words that fetch too much elsewhere. */
function inPlaces({ plan, scoring }: RankStatement, parameters: Parameters): string[] {
  if (plan.places.length === 0) return [];
  const words = scoring.own.terms.filter((term) => term.namesKinds.length === 0);
  const left = words.filter((term) => !scoring.own.fetching.includes(term));
  if (words.length === 0) return [anyPlace(plan, parameters)];
  return left.length > 0 ? [`(${anyTerm(left, parameters)} && ${anyPlace(plan, parameters)})`] : [];
}

/** Whether the text of what was fetched has a say beside the words that fetch: if not, what matched has come by them. */
function isTextAsked({ plan, scoring }: RankStatement, marked: string): boolean {
  const allFetch = scoring.own.fetching.length === scoring.own.terms.length && !scoring.oldestBucket;
  return marked !== '' || plan.places.length > 0 || plan.avoided.length > 0 || !allFetch;
}

/** A tsquery that finds what has all terms of any conjunction; none where there is no conjunction. */
function anyTogether(together: readonly Conjunction[], parameters: Parameters): string[] {
  if (together.length === 0) return [];
  /* Every word once for all that it fetches together with: an index asks the whole of it of each row. */
  const byFirst = Map.groupBy(together, ([first]) => first);
  const all = [...byFirst].flatMap(([first, conjunctions]) => {
    const others = conjunctions.map((terms) => terms.slice(1).map(anyOfTerm).join(' & '));
    return first ? `${anyOfTerm(first)} & (${others.join(' | ')})` : [];
  });
  return [parameters.add(all.join(' | '), 'tsquery')];
}

function anyOfTerm(term: WeighedTerm): string {
  return `(${anyLooselyOf(phrasesOf(term))})`;
}

/** A tsquery that finds any of the terms. */
export function anyTerm(terms: readonly WeighedTerm[], parameters: Parameters): string {
  return parameters.add(anyLooselyOf(terms.flatMap(phrasesOf)), 'tsquery');
}

function phrasesOf(term: WeighedTerm): LexemePhrase[] {
  return term.alternatives.flatMap((alternative) => alternative.phrases);
}
