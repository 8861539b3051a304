import { type WeighedTerm, weightOf } from '../../../ranking/weigh-terms.ts';
import { costOf, type SearchedCorpus } from './retrieval-cost.ts';

/** A document must contain all of these terms. */
export type Conjunction = readonly WeighedTerm[];

const TRIED = 8;
/**
 * Documents contain word combinations this many times more often than independent words would. It
 * is the median of judged queries.
 */
const COOCCURRENCE = 2;
/** Reading one posting costs this much, in scored matches: 0.07 of 3.5 µs. */
const POSTING_COST = 0.02;

/**
 * Chooses pairs and triples of terms that are too frequent by themselves, heaviest first. Their
 * matches and posting lists cost at most `budget`. A document with several frequent words often
 * outranks one with a single rarer word (decision 0020).
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

/** Excludes terms that contain each other, as "clean technology" contains "technology". */
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
