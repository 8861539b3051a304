import { wordsOf } from '../text/words.ts';

export interface Token {
  readonly text: string;
  readonly word: string;
  readonly index: number;
  readonly beforeComma: boolean;
  readonly endsClause: boolean;
  readonly endsSentence: boolean;
}

const CAPITALS: ReadonlyMap<string, readonly string[]> = new Map([
  ['US', ['usa']],
  ['U.S', ['usa']],
  ['U.S.A', ['usa']],
  ['IT', ['information', 'technology']],
]);

const ELISION = /^(?:d|l|qu)['’](?=\p{L})/iu;
const CLAUSE_END = /[;:.!?)\]]["”’»]?$/u;
const SENTENCE_END = /[.!?]["”’»)]?$/u;
/** The full stop of an initial or abbreviation ends no sentence. */
const SHORTENED = /(?:^|[^\p{L}])(?:\p{L}|inc|ltd|corp|co|st|no|dr|etc|vs|approx|incl|excl|dept)\.$/iu;

export function tokenise(text: string): Token[] {
  const shouted = text === text.toUpperCase();
  const chunks = text.split(/\s+|(?<=,)(?=\p{L})/u);
  const parts = chunks.flatMap((written, place) => {
    const chunk = written.replace(ELISION, '');
    const bare = chunk.replace(/^[^\p{L}\p{N}.#+]+/u, '').replace(/(?<=[\p{L}\p{N}#+]|^)[^\p{L}\p{N}#+]+$/u, '');
    const words = (shouted ? undefined : CAPITALS.get(bare)) ?? wordsOf(chunk);
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

/** A sentence ends only before a capital or a digit. */
function endOf(chunk: string, next: string): 'nothing' | 'clause' | 'sentence' {
  if (/^[-–—]+$/.test(next) || /^[([]/.test(next)) return 'clause';
  if (!CLAUSE_END.test(chunk) || SHORTENED.test(chunk)) return 'nothing';
  return SENTENCE_END.test(chunk) && (next === '' || /^["“«(]?[\p{Lu}\p{N}]/u.test(next)) ? 'sentence' : 'clause';
}

/** Only characters that expand to several words could exceed this. */
function mostWords(text: string): number {
  return Math.ceil(text.length / 2) + 8;
}
