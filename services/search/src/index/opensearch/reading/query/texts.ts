import type { LexemePhrase } from '../../../../ranking/weigh-terms.ts';
import { lexemesOfText } from '../../../../text/stem.ts';
import { wordsOf } from '../../../../text/words.ts';
import { COUNT_ONCE, STOP_WORD } from '../../indices/mapping.ts';
import { anyOf, type Query } from './query.ts';

export function lexemes(phrase: LexemePhrase, weight: number): Query {
  const [only] = phrase;
  if (phrase.length === 1 && only !== undefined) return { term: { text: { value: only, boost: weight } } };
  /* OpenSearch scores each word of a phrase by the phrase's frequency and adds these up. */
  return { match_phrase: { text: { query: phrase.join(' '), boost: weight / phrase.length } } };
}

export function countedOnceLexemes(phrase: LexemePhrase, weight: number): Query {
  return lexemes(phrase, weight * COUNT_ONCE);
}

export function anyNamed(phrases: readonly string[]): Query {
  return anyOf(
    phrases.flatMap((phrase) => {
      const found = lexemesBetweenStopWords(phrase);
      return found.length > 0 ? [lexemes(found, 1)] : [];
    }),
  );
}

export function wordsIn(field: 'words' | 'name_words', words: readonly string[]): Query {
  const [only] = words;
  if (words.length === 1 && only !== undefined) return { term: { [field]: { value: only } } };
  return { match_phrase: { [field]: { query: words.join(' ') } } };
}

function lexemesBetweenStopWords(phrase: string): string[] {
  const all = lexemesOfText(wordsOf(phrase));
  const first = all.findIndex((lexeme) => lexeme !== undefined);
  const last = all.findLastIndex((lexeme) => lexeme !== undefined);
  return first === -1 ? [] : all.slice(first, last + 1).map((lexeme) => lexeme ?? STOP_WORD);
}
