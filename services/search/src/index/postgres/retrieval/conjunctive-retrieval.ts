import { type WeighedTerm, weightOf } from '../../../ranking/weigh-terms.ts';
import { effortOf, type Searched } from './retrieval-cost.ts';

/** Terms of which a document must have all to be fetched. */
export type Conjunction = readonly WeighedTerm[];

/** Terms that are tried, the weightiest. */
const TRIED = 8;
/** So many times more documents have all of some words than if they did not know of each other: the median of judged queries. */
const GO_TOGETHER = 2;
/** What it takes to read a document off the list of a word, in matches that are scored: 0.07 of 3.5 µs. */
const LISTED_EFFORT = 0.02;

/**
 * Of terms, the weightiest first, that match too much each: pairs and triples whose matches, and the lists of their words,
 * take no more than `budget`, from those on that weigh most. A document that has several frequent words and no rare one
 * ranks before many that have one rarer word (`npm run lab -- search`: overlap with an engine that scores all matches).
 */
export function chooseTogether(terms: readonly WeighedTerm[], searched: Searched, budget: number): Conjunction[] {
  const chosen: Conjunction[] = [];
  const listed = new Set<WeighedTerm>();
  let left = budget;
  for (const together of conjunctionsOf(terms.slice(0, TRIED)).toSorted((a, b) => weightOfAll(b) - weightOfAll(a))) {
    const toList = together.filter((term) => !listed.has(term));
    const effort = effortOf(matchesOf(together, searched.documents), searched) + listingEffort(toList, searched);
    if (effort > left) continue;
    left -= effort;
    chosen.push(together);
    for (const term of toList) listed.add(term);
  }
  return chosen.filter((one) => !chosen.some((other) => other.length < one.length && isPartOf(other, one)));
}

/** Pairs and triples of terms that are not part of each other, as "technology" is of "clean technology". */
function conjunctionsOf(terms: readonly WeighedTerm[]): Conjunction[] {
  return terms.flatMap((first, at) => {
    const behind = terms.slice(at + 1).filter((term) => !shareWord(term, first));
    return behind.flatMap((second, next) => {
      const others = behind.slice(next + 1).filter((term) => !shareWord(term, second));
      return [[first, second], ...others.map((third) => [first, second, third])];
    });
  });
}

function shareWord(one: WeighedTerm, other: WeighedTerm): boolean {
  const words = one.text.split(' ');
  return other.text.split(' ').some((word) => words.includes(word));
}

function weightOfAll(terms: Conjunction): number {
  return terms.reduce((sum, term) => sum + weightOf(term), 0);
}

/** Documents that have all terms, as far as the number of those that have each can say. */
function matchesOf(terms: Conjunction, documents: number): number {
  const shares = terms.map((term) => Math.min(1, term.documents / Math.max(1, documents)));
  const strangers = shares.reduce((product, share) => product * share, 1);
  return documents * Math.min(strangers * GO_TOGETHER, ...shares);
}

function listingEffort(terms: readonly WeighedTerm[], { share }: Searched): number {
  return terms.reduce((sum, term) => sum + term.documents, 0) * share * LISTED_EFFORT;
}

function isPartOf(part: Conjunction, whole: Conjunction): boolean {
  return part.every((term) => whole.includes(term));
}
