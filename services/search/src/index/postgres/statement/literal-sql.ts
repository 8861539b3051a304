import { wordsOf } from '../../../text/words.ts';
import type { Parameters } from './parameters.ts';

/**
 * This many phrases have their own condition, which indexes can answer. One condition checks all
 * others.
 */
const LEADING_PHRASES = 4;

/** Requires every phrase in the text of `entry e`, or in its company's name or description. */
export function phraseConditions(phrases: readonly string[], parameters: Parameters): string[] {
  const [leading, rest] = splitLeading(phrases);
  const conditions = leading.map(
    (words) => `(${textHas('e', words, parameters)}
      or e.company_id = any(array(select d.company_id from company_doc d
           where (${textHas('d', words, parameters)}) or (${nameHas('d', words, parameters)}))))`,
  );
  if (rest.length === 0) return conditions;
  const texts = `' ' || e.words || ' | ' || coalesce((select d.words || ' | ' || d.name_words from company_doc d
        where d.company_id = e.company_id), '') || ' '`;
  return [
    ...conditions,
    `(select bool_and(strpos(${texts}, phrase) > 0) from unnest(${paddedTexts(rest, parameters)}) phrase)`,
  ];
}

/** Excludes phrases in the text of `entry e` and in its company's name. */
export function exclusionConditions(excluded: readonly string[], parameters: Parameters): string[] {
  const [leading, rest] = splitLeading(excluded);
  const conditions = leading.map(
    (words) => `not (${textHas('e', words, parameters)})
      and e.company_id <> all(array(select d.company_id from company_doc d where ${nameHas('d', words, parameters)}))`,
  );
  if (rest.length === 0) return conditions;
  const texts = `' ' || e.words || ' | ' || coalesce((select d.name_words from company_doc d
        where d.company_id = e.company_id), '') || ' '`;
  return [
    ...conditions,
    `(select bool_and(strpos(${texts}, phrase) = 0) from unnest(${paddedTexts(rest, parameters)}) phrase)`,
  ];
}

/** Phrases without words restrict nothing. */
function splitLeading(phrases: readonly string[]): [string[][], string[][]] {
  const lists = phrases.map(wordsOf).filter((words) => words.length > 0);
  return [lists.slice(0, LEADING_PHRASES), lists.slice(LEADING_PHRASES)];
}

function paddedTexts(lists: readonly (readonly string[])[], parameters: Parameters): string {
  return parameters.add(
    lists.map((words) => ` ${words.join(' ')} `),
    'text[]',
  );
}

/** Requires adjacent words: first by lexemes, which an index can answer, then as written. */
export function textHas(row: string, words: readonly string[], parameters: Parameters): string {
  const lexemes = `phraseto_tsquery('english', ${parameters.add(words.join(' '), 'text')})`;
  return `(numnode(${lexemes}) = 0 or ${row}.text @@ ${lexemes}) and ${isIn(`${row}.words`, words, parameters)}`;
}

export function nameHas(row: string, words: readonly string[], parameters: Parameters): string {
  return `string_to_array(${row}.name_words, ' ') @> ${parameters.add(words, 'text[]')}
      and ${isIn(`${row}.name_words`, words, parameters)}`;
}

function isIn(column: string, words: readonly string[], parameters: Parameters): string {
  return `strpos(' ' || ${column} || ' ', ${parameters.add(` ${words.join(' ')} `, 'text')}) > 0`;
}
