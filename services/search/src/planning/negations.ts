import type { Token } from './tokens.ts';

/** What the words negate without a minus ("not internships", "except in Texas"). */
export interface Negations {
  /** Words of all of it, with those that negate it. */
  readonly tokens: ReadonlySet<number>;
  /** The words that are negated, run by run. */
  readonly runs: readonly (readonly Token[])[];
}

const NEGATING: readonly (readonly string[])[] = [
  ['but', 'not'],
  ['other', 'than'],
  ['rather', 'than'],
  ['instead', 'of'],
  ['apart', 'from'],
  ['aside', 'from'],
  ['except', 'for'],
  ['outside', 'of'],
  ['not'],
  ['except'],
  ['excluding'],
  ['exclude'],
  ['without'],
  ['sauf'],
];
const NEGATING_FIRST: ReadonlySet<string> = new Set(NEGATING.flatMap((words) => words.slice(0, 1)));
/** "not only", "not for profit": these negate nothing. */
const HARMLESS: ReadonlySet<string> = new Set(
  'only just for limited necessarily yet more less later before than'.split(' '),
);
/** A word of these right behind the negation belongs to it ("not in Texas"), one further on ends it. */
const PREPOSITIONS: ReadonlySet<string> = new Set(
  'in at for with by from near since after before that which who whose but while to on of dans'.split(' '),
);
const LISTING: ReadonlySet<string> = new Set(['and', 'or', 'nor', 'et', 'ou']);
const ARTICLES: ReadonlySet<string> = new Set(['a', 'an', 'the', 'any', 'those', 'le', 'la', 'les']);
/** Words that one negation reaches at most. */
const REACH = 6;

/** Finds negations; `isPlace` tells whether a place begins at a word, since a list of places goes on behind a comma. */
export function findNegations(tokens: readonly Token[], isPlace: (index: number) => boolean): Negations {
  const taken = new Set<number>();
  const runs: Token[][] = [];
  for (let at = 0; at < tokens.length; at += 1) {
    const negation = negationAt(tokens, at);
    if (!negation) continue;
    const end = reachOf(tokens, at + negation.length, isPlace);
    const reached = tokens.slice(at + negation.length, end);
    const found = runsOf(reached);
    if (found.length === 0) continue;
    runs.push(...found);
    for (let index = at; index < end; index += 1) taken.add(index);
    at = end - 1;
  }
  return { tokens: taken, runs };
}

function negationAt(tokens: readonly Token[], at: number): readonly string[] | undefined {
  if (!NEGATING_FIRST.has(tokens[at]?.word ?? '')) return undefined;
  const words = (length: number) => tokens.slice(at, at + length).map((token) => token.word);
  const negation = NEGATING.find((phrase) => words(phrase.length).join(' ') === phrase.join(' '));
  if (!negation) return undefined;
  const isHarmless = negation.at(-1) === 'not' && HARMLESS.has(tokens[at + negation.length]?.word ?? '');
  return isHarmless ? undefined : negation;
}

/** The word that a negation does not reach any more. */
function reachOf(tokens: readonly Token[], from: number, isPlace: (index: number) => boolean): number {
  let end = from;
  while (end < tokens.length && end < from + REACH) {
    if (end > from && PREPOSITIONS.has(tokens[end]?.word ?? '')) break;
    end += 1;
    if (tokens[end - 1]?.beforeComma && !isPlace(end)) break;
  }
  return end;
}

function runsOf(reached: readonly Token[]): Token[][] {
  const runs: Token[][] = [[]];
  for (const token of reached) {
    if (LISTING.has(token.word)) runs.push([]);
    else if (!PREPOSITIONS.has(token.word) && !isArticle(token)) runs.at(-1)?.push(token);
    if (token.beforeComma) runs.push([]);
  }
  return runs.filter((run) => run.length > 0);
}

/** A capital letter is that of a noun: "Series A". */
function isArticle({ text, word }: Token): boolean {
  return ARTICLES.has(word) && text !== 'A';
}
