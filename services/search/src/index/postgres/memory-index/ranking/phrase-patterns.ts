import { lexemesOfText } from '../../../../text/stem.ts';
import { wordsOf } from '../../../../text/words.ts';
import type { LexemePattern } from '../inverted-index/tsvector-text.ts';

/** A stop word only counts as a distance. */
export function phrasePattern(phrase: string): LexemePattern {
  const known = lexemesOfText(wordsOf(phrase)).flatMap((lexeme, at) => (lexeme === undefined ? [] : { lexeme, at }));
  const from = known[0]?.at ?? 0;
  return { lexemes: known.map(({ lexeme }) => lexeme), offsets: known.map(({ at }) => at - from) };
}
