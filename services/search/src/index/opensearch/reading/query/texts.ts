import type { LexemePhrase } from '../../../../ranking/weigh-terms.ts';
import { lexemesOfText } from '../../../../text/stem.ts';
import { wordsOf } from '../../../../text/words.ts';
import { ONCE, STOP_WORD } from '../../indices/mapping.ts';
import { anyOf, type Query } from './query.ts';

/** Lexemes side by side in `text`, each of which counts `weight` as often as it is there. */
export function lexemes(phrase: LexemePhrase, weight: number): Query {
  const [only] = phrase;
  if (phrase.length === 1 && only !== undefined) return { term: { text: { value: only, boost: weight } } };
  /* The engine scores every word of a phrase with the frequency of the phrase and adds that up. */
  return { match_phrase: { text: { query: phrase.join(' '), boost: weight / phrase.length } } };
}

/** The same, counted once however often it is there. */
export function lexemesOnce(phrase: LexemePhrase, weight: number): Query {
  return lexemes(phrase, weight * ONCE);
}

/** Any of the phrases as they are named in a plan, by their lexemes. */
export function anyNamed(phrases: readonly string[]): Query {
  return anyOf(
    phrases.flatMap((phrase) => {
      const found = lexemesBetweenStopWords(phrase);
      return found.length > 0 ? [lexemes(found, 1)] : [];
    }),
  );
}

/** Words side by side in `field`, as they are written. */
export function wordsIn(field: 'words' | 'name_words', words: readonly string[]): Query {
  const [only] = words;
  if (words.length === 1 && only !== undefined) return { term: { [field]: { value: only } } };
  return { match_phrase: { [field]: { query: words.join(' ') } } };
}

/** Without the stop words at either end, which nothing is found by. */
function lexemesBetweenStopWords(phrase: string): string[] {
  const all = lexemesOfText(wordsOf(phrase));
  const first = all.findIndex((lexeme) => lexeme !== undefined);
  const last = all.findLastIndex((lexeme) => lexeme !== undefined);
  return first === -1 ? [] : all.slice(first, last + 1).map((lexeme) => lexeme ?? STOP_WORD);
}
