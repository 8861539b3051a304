import {
  ARTICLES,
  ASKING,
  LISTING,
  NEGATING_VERBS,
  PREPOSITIONS,
  RELATIVE,
  STAND_INS,
  TURNING_DOWN,
} from './negating-words.ts';
import { type Negations, phraseAt, startsClause } from './negations.ts';
import type { Token } from './tokens.ts';

const LEADING: ReadonlySet<string> = new Set([...STAND_INS, ...ARTICLES]);
/**
 * One excluded thing has at most this many words. Longer phrases do not occur verbatim in texts.
 */
const NAMED = 3;
const REFUSING: readonly (readonly string[])[] = [
  'do not want',
  'don t want',
  'do not need',
  'don t need',
  'do not send',
  'don t send',
  'do not include',
  'don t include',
  'do not list',
  'do not show',
  'do not give',
  'do not bid',
  'not interested in',
  'no interest in',
  'not looking for',
  'no need for',
].map((phrase) => phrase.split(' '));

/**
 * Finds exclusions that span a sentence: "We do not want staffing firms, nor ...", "Cars are of no
 * use to us." A clause can also exclude the words before it.
 */
export function findRefusals(tokens: readonly Token[]): Negations {
  const sentences = sentencesOf(tokens);
  const refused = sentences.flatMap((sentence) => refusedIn(sentence, sentences.length > 1));
  return { tokens: new Set(refused.flat().map(({ index }) => index)), runs: refused.flatMap(thingsOf) };
}

export function sentencesOf(tokens: readonly Token[]): Token[][] {
  const sentences: Token[][] = [[]];
  for (const token of tokens) {
    sentences.at(-1)?.push(token);
    if (token.endsSentence) sentences.push([]);
  }
  return sentences.filter((sentence) => sentence.length > 0);
}

function refusedIn(sentence: readonly Token[], isOneOfMany: boolean): (readonly Token[])[] {
  const verb = sentence[0]?.word === 'please' ? 1 : 0;
  const isCommand = isOneOfMany && sentence[0]?.index !== 0 && phraseAt(sentence, verb, NEGATING_VERBS) !== undefined;
  if (isCommand) return [sentence];
  const refusing = isOneOfMany ? sentence.findIndex((_, at) => phraseAt(sentence, at, REFUSING) !== undefined) : -1;
  if (refusing >= 0 && refusing <= 4) return [sentence];
  const said = sentence.findIndex((_, at) => isSaidOf(sentence, at));
  if (said < 0) return [];
  const asks = sentence.slice(0, said).some(({ word }) => ASKING.has(word));
  let begin = said;
  while (begin > 0 && !(startsClause(sentence, begin) && sentence[begin - 1]?.word !== 'and')) begin -= 1;
  /* "Janitorial services, weekends excluded." excludes only the words after the comma. */
  const isShort = ['excluded', 'excepted', 'not', 'exclus', 'exclues'].includes(sentence[said]?.word ?? '');
  if (isOneOfMany && !asks && !(isShort && begin > 0)) return [sentence];
  return begin > 0 && begin < said ? [sentence.slice(begin)] : [];
}

function isSaidOf(sentence: readonly Token[], at: number): boolean {
  const phrase = phraseAt(sentence, at, TURNING_DOWN);
  const length = phrase?.length ?? 0;
  const last = length > 0 ? sentence[at + length - 1] : undefined;
  return last !== undefined && (length > 1 || last.endsClause || last.beforeComma || last === sentence.at(-1));
}

/**
 * Returns things of one to three words. A noun that needs a clause ("plants that stack modules") is
 * left out.
 */
function thingsOf(refused: readonly Token[]): Token[][] {
  const things: Token[][] = [];
  let thing: Token[] = [];
  let isOpen = true;
  const close = (isTold: boolean) => {
    if (thing.length > (isTold ? 1 : 0) && thing.length <= NAMED) things.push(thing);
    thing = [];
  };
  const verbs = new Set(spoken(refused));
  for (const token of refused) {
    if (verbs.has(token)) close(false);
    else if (LISTING.has(token.word)) {
      close(false);
      isOpen = true;
    } else if (PREPOSITIONS.has(token.word) || RELATIVE.has(token.word)) {
      close(true);
      isOpen = false;
    } else if (isOpen && !(thing.length === 0 && LEADING.has(token.word))) thing.push(token);
    if (token.endsClause) break;
    if (!token.beforeComma) continue;
    close(false);
    isOpen = true;
  }
  close(false);
  return things;
}

/** Returns the words that express the exclusion, and the words after them in the predicate. */
function spoken(refused: readonly Token[]): Token[] {
  const said = refused.findIndex((_, at) => isSaidOf(refused, at));
  const all = [...REFUSING, ...NEGATING_VERBS];
  const at = refused.findIndex((_, index) => phraseAt(refused, index, all) !== undefined);
  const end = at < 0 ? 0 : at + (phraseAt(refused, at, all)?.length ?? 0);
  return [...refused.slice(0, said >= 0 ? Math.min(end, said) : end), ...(said >= 0 ? refused.slice(said) : [])];
}
