import {
  ARTICLES,
  AUXILIARIES,
  BEFORE_NOR,
  CONJUNCTIONS,
  GENERIC_NOUNS,
  LIGHT_VERBS,
  NAME_STARTERS,
  NEGATING,
  NEGATING_VERBS,
  NOT_NEGATED_BY_NO,
  NOT_NEGATED_BY_NOT,
  PREPOSITIONS,
  PRESENCE_NOUNS,
  RELATIVE_PRONOUNS,
  REQUEST_VERBS,
  SET_PHRASES,
} from './negating-words.ts';
import type { Token } from './tokens.ts';

/** These negations have no minus sign ("not internships", "except in Texas"). */
export interface Negations {
  readonly tokens: ReadonlySet<number>;
  readonly runs: readonly (readonly Token[])[];
}

/** "outside" excludes an area; before a single city it means the surroundings. */
export type PlaceAt = (index: number) => 'none' | 'city' | 'area';

const FIRST: ReadonlySet<string> = new Set([
  'outside',
  ...[...NEGATING, ...NEGATING_VERBS].flatMap((words) => words.slice(0, 1)),
]);
const LED: ReadonlySet<string> = new Set(['by', 'in', 'to', 'on', 'with', 'at', 'near', 'from', 'for']);
const REACH = 6;
/** An item of a list that continues after a comma has at most this many words. */
const LISTED = 2;

/** `placeAt` extends lists of places after a comma. `known`: words of sentence negations. */
export function findNegations(tokens: readonly Token[], placeAt: PlaceAt, known: ReadonlySet<number>): Negations {
  const taken = new Set<number>();
  const runs: Token[][] = [];
  for (let at = 0; at < tokens.length; at += 1) {
    const length = known.has(at) ? 0 : negationAt(tokens, at, placeAt);
    if (length === 0) continue;
    const begin = behindLead(tokens, behindVerb(tokens, at, length), placeAt);
    if (tokens[begin - 1]?.endsSentence) continue;
    const reached = reachOf(tokens, begin, placeAt);
    const place = placeBehind(tokens, begin, reached, placeAt);
    const end = place > 0 ? reachOf(tokens, place, placeAt) : reached;
    const found = runsOf(tokens.slice(Math.max(begin, place), end));
    if (found.length === 0) continue;
    runs.push(...found);
    for (let index = at; index < end; index += 1) taken.add(index);
    at = end - 1;
  }
  return { tokens: taken, runs };
}

function negationAt(tokens: readonly Token[], at: number, placeAt: PlaceAt): number {
  const first = tokens[at]?.word ?? '';
  if (!FIRST.has(first)) return 0;
  if (first === 'outside' && tokens[at + 1]?.word !== 'of') {
    const behind = ARTICLES.has(tokens[at + 1]?.word ?? '') ? at + 2 : at + 1;
    return placeAt(behind) === 'area' ? 1 : 0;
  }
  if (isName(tokens, at) || (first === 'nor' && !isNegatedBefore(tokens, at))) return 0;
  /* "and avoid fines" continues a description, unless the query has a verb of asking. */
  const goesOnWithDoing =
    ['and', 'et'].includes(tokens[at - 1]?.word ?? '') &&
    !tokens.slice(0, at).some(({ word }) => REQUEST_VERBS.has(word));
  const beginsClause = at > 0 && startsClause(tokens, at) && !goesOnWithDoing;
  const negation = phraseAt(tokens, at, NEGATING) ?? (beginsClause ? phraseAt(tokens, at, NEGATING_VERBS) : undefined);
  const next = tokens[at + (negation?.length ?? 0)]?.word ?? '';
  const last = negation?.at(-1);
  if (last === 'not' && (NOT_NEGATED_BY_NOT.has(next) || isForProfit(tokens, at + 1))) return 0;
  if (SET_PHRASES.has(next)) return 0;
  if (last === 'no' && (NOT_NEGATED_BY_NO.has(next) || /^\d/.test(next))) return 0;
  return negation?.length ?? 0;
}

/** A capitalised name begins the query: "Nothing Bundt Cakes", "Minus K Technology". */
function isName(tokens: readonly Token[], at: number): boolean {
  const [first, next] = [tokens[at]?.text ?? '', tokens[at + 1]?.text ?? ''];
  return at === 0 && NAME_STARTERS.has(tokens[at]?.word ?? '') && [first, next].every((text) => /^\p{Lu}/u.test(text));
}

/** Accepts "lenders, nor pawn shops" and "not buses nor cars", but not "NAND and NOR flash". */
function isNegatedBefore(tokens: readonly Token[], at: number): boolean {
  const before = tokens.slice(0, at);
  return before.at(-1)?.beforeComma === true || before.some(({ word }) => BEFORE_NOR.has(word));
}

function isForProfit(tokens: readonly Token[], at: number): boolean {
  return tokens[at]?.word === 'for' && /^profits?$/.test(tokens[at + 1]?.word ?? '');
}

export function phraseAt(
  tokens: readonly Token[],
  at: number,
  phrases: readonly (readonly string[])[],
): readonly string[] | undefined {
  return phrases.find((phrase) => phrase.every((word, offset) => tokens[at + offset]?.word === word));
}

export function startsClause(tokens: readonly Token[], at: number): boolean {
  const before = tokens[at - 1];
  if (!before) return true;
  return (
    before.beforeComma || before.endsClause || ['and', 'but', 'please', 'also', 'et', 'mais'].includes(before.word)
  );
}

/** Skips the verb of "do not sell to banks" and "not based in Texas" if its object follows. */
function behindVerb(tokens: readonly Token[], at: number, length: number): number {
  const end = at + length;
  const [first, last] = [tokens[at - 1]?.word ?? '', tokens[end - 1]?.word];
  const isAfterAuxiliary =
    (last === 'not' && AUXILIARIES.has(first)) || (last === 't' && AUXILIARIES.has(tokens[at]?.word ?? ''));
  const verb = tokens[end];
  if (!verb || verb.endsClause || verb.beforeComma || end + 1 >= tokens.length) return end;
  const isLed = /(?:ed|ing)$/.test(verb.word) && LED.has(tokens[end + 1]?.word ?? '') && end + 2 < tokens.length;
  if (isLed) return end + 2;
  return isAfterAuxiliary ? end + 1 : end;
}

/** In "no projects in California" the negation excludes the place. */
function placeBehind(tokens: readonly Token[], from: number, end: number, placeAt: PlaceAt): number {
  const things = tokens.slice(from, end);
  if (things.length === 0 || !things.every(({ word }) => PRESENCE_NOUNS.has(word))) return 0;
  const place = ARTICLES.has(tokens[end + 1]?.word ?? '') ? end + 2 : end + 1;
  return tokens[end]?.word === 'in' && placeAt(place) !== 'none' ? place : 0;
}

/** Skips introductions: "the ones betting on", "firms that make", "anything in". */
function behindLead(tokens: readonly Token[], from: number, placeAt: PlaceAt): number {
  let at = from;
  let hasGenericNoun = false;
  let hasVerb = false;
  for (; at < tokens.length && at < from + REACH; at += 1) {
    const token = tokens[at];
    const before = tokens[at - 1];
    if (!token || placeAt(at) !== 'none' || (at > from && (before?.beforeComma || before?.endsClause))) break;
    const isVerb =
      hasGenericNoun && !hasVerb && (RELATIVE_PRONOUNS.has(before?.word ?? '') || /(?:ing|ed)$/.test(token.word));
    if (GENERIC_NOUNS.has(token.word)) hasGenericNoun = true;
    else if (isVerb && !PREPOSITIONS.has(token.word)) hasVerb = true;
    else if (!PREPOSITIONS.has(token.word) && !isArticle(token)) break;
  }
  return at;
}

function reachOf(tokens: readonly Token[], from: number, placeAt: PlaceAt): number {
  let end = from;
  while (end < tokens.length && end < from + REACH) {
    if (end > from && PREPOSITIONS.has(tokens[end]?.word ?? '')) break;
    const token = tokens[end];
    end += 1;
    if (token?.endsClause) break;
    if (token?.beforeComma && placeAt(end) === 'none' && !goesOn(tokens, end)) break;
  }
  return end;
}

function goesOn(tokens: readonly Token[], at: number): boolean {
  const isEither = (index: number) => ['or', 'nor', 'ou', 'ni'].includes(tokens[index]?.word ?? '');
  for (let length = 0; length <= LISTED; length += 1) {
    if (isEither(at + length)) return true;
    const token = tokens[at + length];
    if (!token || token.beforeComma || token.endsClause || PREPOSITIONS.has(token.word)) return false;
  }
  return false;
}

function runsOf(reached: readonly Token[]): Token[][] {
  const runs: Token[][] = [[]];
  for (const token of reached) {
    if (CONJUNCTIONS.has(token.word)) runs.push([]);
    else if (!PREPOSITIONS.has(token.word) && !isArticle(token) && !GENERIC_NOUNS.has(token.word))
      runs.at(-1)?.push(token);
    if (token.beforeComma || token.endsClause) runs.push([]);
  }
  return runs
    .map((run) => (run.length > 1 && LIGHT_VERBS.has(run[0]?.word ?? '') ? run.slice(1) : run))
    .filter((run) => run.length > 0);
}

function isArticle({ text, word }: Token): boolean {
  return ARTICLES.has(word) && text !== 'A';
}
