import {
  ARTICLES,
  CONJUNCTIONS,
  GENERIC_NOUNS,
  NEGATING_PREDICATES,
  NEGATING_VERBS,
  PREPOSITIONS,
  RELATIVE_PRONOUNS,
  REQUEST_VERBS,
} from './negating-words.ts';
import { type Negations, phraseAt, startsClause } from './negations.ts';
import type { Token } from './tokens.ts';

const LEADING: ReadonlySet<string> = new Set([...GENERIC_NOUNS, ...ARTICLES]);
/** Longer phrases do not occur verbatim in texts. */
const NAMED = 3;
const NEGATING_REQUESTS: readonly (readonly string[])[] = [
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

/** Matches "We do not want staffing firms, nor ..." and "Cars are of no use to us." */
export function findSentenceNegations(tokens: readonly Token[]): Negations {
  const sentences = sentencesOf(tokens);
  const negated = sentences.flatMap((sentence) => negatedIn(sentence, sentences.length > 1));
  return { tokens: new Set(negated.flat().map(({ index }) => index)), runs: negated.flatMap(thingsOf) };
}

export function sentencesOf(tokens: readonly Token[]): Token[][] {
  const sentences: Token[][] = [[]];
  for (const token of tokens) {
    sentences.at(-1)?.push(token);
    if (token.endsSentence) sentences.push([]);
  }
  return sentences.filter((sentence) => sentence.length > 0);
}

function negatedIn(sentence: readonly Token[], isOneOfMany: boolean): (readonly Token[])[] {
  const verb = sentence[0]?.word === 'please' ? 1 : 0;
  const isCommand = isOneOfMany && sentence[0]?.index !== 0 && phraseAt(sentence, verb, NEGATING_VERBS) !== undefined;
  if (isCommand) return [sentence];
  const request = isOneOfMany
    ? sentence.findIndex((_, at) => phraseAt(sentence, at, NEGATING_REQUESTS) !== undefined)
    : -1;
  if (request >= 0 && request <= 4) return [sentence];
  const said = sentence.findIndex((_, at) => isSaidOf(sentence, at));
  if (said < 0) return [];
  const asks = sentence.slice(0, said).some(({ word }) => REQUEST_VERBS.has(word));
  let begin = said;
  while (begin > 0 && !(startsClause(sentence, begin) && sentence[begin - 1]?.word !== 'and')) begin -= 1;
  /* "Janitorial services, weekends excluded." excludes only the words after the comma. */
  const isShort = ['excluded', 'excepted', 'not', 'exclus', 'exclues'].includes(sentence[said]?.word ?? '');
  if (isOneOfMany && !asks && !(isShort && begin > 0)) return [sentence];
  return begin > 0 && begin < said ? [sentence.slice(begin)] : [];
}

function isSaidOf(sentence: readonly Token[], at: number): boolean {
  const phrase = phraseAt(sentence, at, NEGATING_PREDICATES);
  const length = phrase?.length ?? 0;
  const last = length > 0 ? sentence[at + length - 1] : undefined;
  return last !== undefined && (length > 1 || last.endsClause || last.beforeComma || last === sentence.at(-1));
}

/** One to three words, without nouns that need a clause ("plants that stack modules"). */
function thingsOf(negated: readonly Token[]): Token[][] {
  const things: Token[][] = [];
  let thing: Token[] = [];
  let isOpen = true;
  const close = (isTold: boolean) => {
    if (thing.length > (isTold ? 1 : 0) && thing.length <= NAMED) things.push(thing);
    thing = [];
  };
  const verbs = new Set(spoken(negated));
  for (const token of negated) {
    if (verbs.has(token)) close(false);
    else if (CONJUNCTIONS.has(token.word)) {
      close(false);
      isOpen = true;
    } else if (PREPOSITIONS.has(token.word) || RELATIVE_PRONOUNS.has(token.word)) {
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
function spoken(negated: readonly Token[]): Token[] {
  const said = negated.findIndex((_, at) => isSaidOf(negated, at));
  const all = [...NEGATING_REQUESTS, ...NEGATING_VERBS];
  const at = negated.findIndex((_, index) => phraseAt(negated, index, all) !== undefined);
  const end = at < 0 ? 0 : at + (phraseAt(negated, at, all)?.length ?? 0);
  return [...negated.slice(0, said >= 0 ? Math.min(end, said) : end), ...(said >= 0 ? negated.slice(said) : [])];
}
