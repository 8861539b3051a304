import { wordsOf } from '../text/words.ts';

/** A word of a query and what it turned out to be. */
export interface Token {
  /** As written. */
  readonly text: string;
  readonly word: string;
  /** Position in the query. */
  readonly index: number;
  /** Whether a comma follows. */
  readonly beforeComma: boolean;
}

/** Words whose meaning depends on their capitals. */
const CAPITALS: ReadonlyMap<string, readonly string[]> = new Map([
  ['US', ['usa']],
  ['U.S', ['usa']],
  ['U.S.A', ['usa']],
  ['IT', ['information', 'technology']],
]);

/** French articles and prepositions that lost their vowel. */
const ELISION = /^(?:d|l|qu)['’](?=\p{L})/iu;

/** The words of a query in order. */
export function tokenise(text: string): Token[] {
  const shouted = text === text.toUpperCase();
  const parts = text.split(/\s+|(?<=,)(?=\p{L})/u).flatMap((written) => {
    const chunk = written.replace(ELISION, '');
    const bare = chunk.replace(/^[^\p{L}\p{N}.#+]+/u, '').replace(/(?<=[\p{L}\p{N}#+]|^)[^\p{L}\p{N}#+]+$/u, '');
    const words = (shouted ? undefined : CAPITALS.get(bare)) ?? wordsOf(chunk);
    return words.map((word, at) => ({
      text: words.length === 1 ? bare : word,
      word,
      beforeComma: chunk.endsWith(',') && at === words.length - 1,
    }));
  });
  return parts.slice(0, mostWords(text)).map((part, index) => ({ ...part, index }));
}

/** Letters and what parts them: more words has a text only of signs that stand for whole sentences, of which few are read. */
function mostWords(text: string): number {
  return Math.ceil(text.length / 2) + 8;
}
