import { type WeighedTerm, weightOf } from '../../../ranking/weigh-terms.ts';
import { costOf, type SearchedCorpus } from './retrieval-cost.ts';

/** Terms of which a document must have all to be retrieved. */
export type Conjunction = readonly WeighedTerm[];

/** Terms that are tried, the weightiest. */
const TRIED = 8;
/** So many times more documents have all of some words than if the words were independent: the median of judged queries. */
const COOCCURRENCE = 2;
/** What it takes to read a document off the posting list of a word, in matches that are scored: 0.07 of 3.5 µs. */
const POSTING_COST = 0.02;

/**
 * Of terms, the weightiest first, that match too much each: pairs and triples whose matches, and the posting lists of their
 * words, cost no more than `budget`, from those on that weigh most. A document that has several frequent words and no rare
 * one ranks before many that have one rarer word (decision 0020).
 */
export function chooseConjunctions(
  terms: readonly WeighedTerm[],
  searched: SearchedCorpus,
  budget: number,
): Conjunction[] {
  const chosen: Conjunction[] = [];
  const read = new Set<WeighedTerm>();
  let left = budget;
  for (const conjunction of conjunctionsOf(terms.slice(0, TRIED)).toSorted((a, b) => weightOfAll(b) - weightOfAll(a))) {
    const unread = conjunction.filter((term) => !read.has(term));
    const cost = costOf(matchesOf(conjunction, searched.documents), searched) + postingCost(unread, searched);
    if (cost > left) continue;
    left -= cost;
    chosen.push(conjunction);
    for (const term of unread) read.add(term);
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

/** Documents that have all terms, estimated from the number of those that have each. */
function matchesOf(terms: Conjunction, documents: number): number {
  const shares = terms.map((term) => Math.min(1, term.documents / Math.max(1, documents)));
  const independent = shares.reduce((product, share) => product * share, 1);
  return documents * Math.min(independent * COOCCURRENCE, ...shares);
}

function postingCost(terms: readonly WeighedTerm[], { share }: SearchedCorpus): number {
  return terms.reduce((sum, term) => sum + term.documents, 0) * share * POSTING_COST;
}

function isPartOf(part: Conjunction, whole: Conjunction): boolean {
  return part.every((term) => whole.includes(term));
}
