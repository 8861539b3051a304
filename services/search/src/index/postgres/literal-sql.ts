import { wordsOf } from '../../text/words.ts';
import type { Parameters } from './parameters.ts';

/** Every phrase stands, word for word, in the text of `entry e`, or in its company's name or description. */
export function phraseConditions(phrases: readonly string[], parameters: Parameters): string[] {
  return phrases.map((phrase) => {
    const words = wordsOf(phrase);
    return `(${textHas('e', words, parameters)}
      or e.company_id = any(array(select d.company_id from company_doc d
           where (${textHas('d', words, parameters)}) or (${nameHas('d', words, parameters)}))))`;
  });
}

/** No excluded word or phrase stands in the text of `entry e` or in its company's name. */
export function exclusionConditions(excluded: readonly string[], parameters: Parameters): string[] {
  const lists = excluded.map(wordsOf).filter((words) => words.length > 0);
  return lists.map(
    (words) => `not (${textHas('e', words, parameters)})
      and e.company_id <> all(array(select d.company_id from company_doc d where ${nameHas('d', words, parameters)}))`,
  );
}

/** Words side by side in a text: by their lexemes first, which an index answers, then as they stand. */
export function textHas(row: string, words: readonly string[], parameters: Parameters): string {
  const lexemes = `phraseto_tsquery('english', ${parameters.add(words.join(' '), 'text')})`;
  return `(numnode(${lexemes}) = 0 or ${row}.text @@ ${lexemes}) and ${standsIn(`${row}.words`, words, parameters)}`;
}

/** Words side by side in a company's name. */
export function nameHas(row: string, words: readonly string[], parameters: Parameters): string {
  return `string_to_array(${row}.name_words, ' ') @> ${parameters.add(words, 'text[]')}
      and ${standsIn(`${row}.name_words`, words, parameters)}`;
}

function standsIn(column: string, words: readonly string[], parameters: Parameters): string {
  return `strpos(' ' || ${column} || ' ', ${parameters.add(` ${words.join(' ')} `, 'text')}) > 0`;
}
