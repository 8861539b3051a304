import { wordsOf } from '../../text/words.ts';
import type { Parameters } from './parameters.ts';

/** Words side by side as a condition on a column of space separated words. */
export function standsIn(column: string, text: string, parameters: Parameters): string {
  return `strpos(' ' || ${column} || ' ', ${parameters.add(` ${wordsOf(text).join(' ')} `, 'text')}) > 0`;
}

/** Every phrase stands in the text of `entry e`, or in its company's name or description. */
export function phraseConditions(phrases: readonly string[], parameters: Parameters): string[] {
  return phrases.map((phrase) => {
    const lexemes = `phraseto_tsquery('english', ${parameters.add(wordsOf(phrase).join(' '), 'text')})`;
    const maybe = (row: string) => `(numnode(${lexemes}) = 0 or ${row}.text @@ ${lexemes})`;
    return `((${maybe('e')} and ${standsIn('e.words', phrase, parameters)})
      or e.company_id = any(array(select d.company_id from company_doc d
           where ${maybe('d')} and ${standsIn('d.words', phrase, parameters)})))`;
  });
}

/** No excluded word or phrase stands in the text of `entry e` or in its company's name. */
export function exclusionConditions(excluded: readonly string[], parameters: Parameters): string[] {
  return excluded
    .filter((text) => wordsOf(text).length > 0)
    .flatMap((text) => [
      `not ${standsIn('e.words', text, parameters)}`,
      `e.company_id <> all(array(select d.company_id from company_doc d where ${standsIn('d.name_words', text, parameters)}))`,
    ]);
}
