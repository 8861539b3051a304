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
  /** Whether a clause ends here: by a full stop, a colon, a dash, a bracket, at the end of a sentence. */
  readonly endsClause: boolean;
  readonly endsSentence: boolean;
}

/** Words whose meaning depends on their capitals. */
const CAPITALS: ReadonlyMap<string, readonly string[]> = new Map([
  ['US', ['usa']],
  ['U.S', ['usa']],
  ['U.S.A', ['usa']],
  ['IT', ['information', 'technology']],
]);

/** Words that are one with a hyphen or without. */
const ONE_WORD: ReadonlyMap<string, readonly string[]> = new Map([
  ['start-up', ['startup']],
  ['start-ups', ['startups']],
]);

/** French articles and prepositions that lost their vowel. */
const ELISION = /^(?:d|l|qu)['’](?=\p{L})/iu;
const CLAUSE_END = /[;:.!?)\]]["”’»]?$/u;
const SENTENCE_END = /[.!?]["”’»)]?$/u;
/** A single letter, and shortened words, whose full stop ends no sentence. */
const SHORTENED = /(?:^|[^\p{L}])(?:\p{L}|inc|ltd|corp|co|st|no|dr|etc|vs|approx|incl|excl|dept)\.$/iu;

/** The words of a query in order. */
export function tokenise(text: string): Token[] {
  const shouted = text === text.toUpperCase();
  const chunks = text.split(/\s+|(?<=,)(?=\p{L})/u);
  const parts = chunks.flatMap((written, place) => {
    const chunk = written.replace(ELISION, '');
    const bare = chunk.replace(/^[^\p{L}\p{N}.#+]+/u, '').replace(/(?<=[\p{L}\p{N}#+]|^)[^\p{L}\p{N}#+]+$/u, '');
    const words = (shouted ? undefined : CAPITALS.get(bare)) ?? ONE_WORD.get(bare.toLowerCase()) ?? wordsOf(chunk);
    const ends = endOf(chunk, chunks[place + 1] ?? '');
    return words.map((word, at) => ({
      text: words.length === 1 ? bare : word,
      word,
      beforeComma: chunk.endsWith(',') && at === words.length - 1,
      endsClause: ends !== 'nothing' && at === words.length - 1,
      endsSentence: ends === 'sentence' && at === words.length - 1,
    }));
  });
  return parts.slice(0, mostWords(text)).map((part, index) => ({ ...part, index }));
}

/** What ends with a chunk: a sentence only where the next begins with a capital. */
function endOf(chunk: string, next: string): 'nothing' | 'clause' | 'sentence' {
  if (/^[-–—]+$/.test(next) || /^[([]/.test(next)) return 'clause';
  if (!CLAUSE_END.test(chunk) || SHORTENED.test(chunk)) return 'nothing';
  return SENTENCE_END.test(chunk) && (next === '' || /^["“«(]?[\p{Lu}\p{N}]/u.test(next)) ? 'sentence' : 'clause';
}

/** Letters and what parts them: more words has a text only of signs that stand for whole sentences, of which few are read. */
function mostWords(text: string): number {
  return Math.ceil(text.length / 2) + 8;
}
