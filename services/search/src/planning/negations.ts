import type { Token } from './tokens.ts';

/** What the words turn down without a minus ("not internships", "except in Texas"). */
export interface Refusals {
  /** Words of all of it, with those that turn it down. */
  readonly tokens: ReadonlySet<number>;
  /** The words that are turned down, run by run. */
  readonly runs: readonly (readonly Token[])[];
}

const REFUSING: readonly (readonly string[])[] = [
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
/** "not only", "not for profit": these turn nothing down. */
const HARMLESS: ReadonlySet<string> = new Set(
  'only just for limited necessarily yet more less later before than'.split(' '),
);
/** A word of these right behind the refusal belongs to it ("not in Texas"), one further on ends it. */
const PREPOSITIONS: ReadonlySet<string> = new Set(
  'in at for with by from near since after before that which who whose but while to on of dans'.split(' '),
);
const LISTING: ReadonlySet<string> = new Set(['and', 'or', 'nor', 'et', 'ou']);
const ARTICLES: ReadonlySet<string> = new Set(['a', 'an', 'the', 'any', 'those', 'le', 'la', 'les']);
/** Words that one refusal reaches at most. */
const REACH = 6;

/** Finds refusals; `isPlace` tells whether a place begins at a word, since a list of places goes on behind a comma. */
export function findRefusals(tokens: readonly Token[], isPlace: (index: number) => boolean): Refusals {
  const taken = new Set<number>();
  const runs: Token[][] = [];
  for (let at = 0; at < tokens.length; at += 1) {
    const refusal = refusalAt(tokens, at);
    if (!refusal) continue;
    const end = reachOf(tokens, at + refusal.length, isPlace);
    const reached = tokens.slice(at + refusal.length, end);
    const found = runsOf(reached);
    if (found.length === 0) continue;
    runs.push(...found);
    for (let index = at; index < end; index += 1) taken.add(index);
    at = end - 1;
  }
  return { tokens: taken, runs };
}

function refusalAt(tokens: readonly Token[], at: number): readonly string[] | undefined {
  const words = (length: number) => tokens.slice(at, at + length).map((token) => token.word);
  const refusal = REFUSING.find((phrase) => words(phrase.length).join(' ') === phrase.join(' '));
  if (!refusal) return undefined;
  const isHarmless = refusal.at(-1) === 'not' && HARMLESS.has(tokens[at + refusal.length]?.word ?? '');
  return isHarmless ? undefined : refusal;
}

/** The word that a refusal does not reach any more. */
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
    else if (!PREPOSITIONS.has(token.word) && !ARTICLES.has(token.word)) runs.at(-1)?.push(token);
    if (token.beforeComma) runs.push([]);
  }
  return runs.filter((run) => run.length > 0);
}
