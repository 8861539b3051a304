import { mean, quantile } from '../relevance-index/measures.ts';
import { bootstrap, type Random } from '../relevance-index/resampling.ts';

export interface Ranked {
  readonly companies: readonly bigint[];
  readonly ndcg: number;
  /** True if the ranking reports that it left out matches. */
  readonly declaredCut: boolean;
  readonly ms: number;
}

export interface Pair {
  readonly queryId: string;
  readonly family: string;
  readonly reference: Ranked;
  readonly candidate: Ranked;
}

export interface Comparison {
  readonly family: string;
  readonly queries: number;
  readonly overlap: { readonly mean: number; readonly median: number; readonly shareOfGood: number };
  readonly ndcg: { readonly reference: number; readonly candidate: number };
  /** Mean nDCG@10 of the candidate minus the reference, with a 95 % bootstrap interval. */
  readonly difference: { readonly mean: number; readonly low: number; readonly high: number };
  readonly declaredCut: { readonly reference: number; readonly candidate: number };
}

export const COMPARED = 50;
export const GOOD_OVERLAP = 0.9;
const LEAST_OVERLAP = 0.93;
/** The lower end of the interval must be above this value. */
const LEAST_DIFFERENCE = -0.02;
const ALL = 'all';

/**
 * The number of companies in both rankings divided by the longer length, or 1 if both are empty.
 */
export function overlapOf({ reference, candidate }: Pick<Pair, 'reference' | 'candidate'>): number {
  const [ours, theirs] = [reference, candidate].map(({ companies }) => new Set(companies.slice(0, COMPARED)));
  if (!ours || !theirs) return 0;
  const longer = Math.max(ours.size, theirs.size);
  return longer === 0 ? 1 : [...ours].filter((id) => theirs.has(id)).length / longer;
}

/** Compares each family (named by its first letter), then all. */
export function compare(pairs: readonly Pair[], random: Random): Comparison[] {
  const families = Map.groupBy(pairs, ({ family }) => family.slice(0, 1));
  const letters = [...families.keys()].toSorted();
  return [
    ...letters.map((letter) => comparisonOf(letter, families.get(letter) ?? [], random)),
    comparisonOf(ALL, pairs, random),
  ];
}

function comparisonOf(family: string, pairs: readonly Pair[], random: Random): Comparison {
  const overlaps = pairs.map(overlapOf);
  const gains = pairs.map(({ reference, candidate }) => candidate.ndcg - reference.ndcg);
  const [low, high] = bootstrap(gains, random);
  const of = (engine: 'reference' | 'candidate') => pairs.map((pair) => pair[engine]);
  const ndcgOf = (engine: 'reference' | 'candidate') => mean(of(engine).map(({ ndcg }) => ndcg));
  const cutOf = (engine: 'reference' | 'candidate') => of(engine).filter(({ declaredCut }) => declaredCut).length;
  return {
    family,
    queries: pairs.length,
    overlap: {
      mean: mean(overlaps),
      median: quantile(overlaps, 0.5),
      shareOfGood: mean(overlaps.map((overlap) => (overlap >= GOOD_OVERLAP ? 1 : 0))),
    },
    ndcg: { reference: ndcgOf('reference'), candidate: ndcgOf('candidate') },
    difference: { mean: mean(gains), low, high },
    declaredCut: { reference: cutOf('reference'), candidate: cutOf('candidate') },
  };
}

export function findMisses({ overlap, difference }: Comparison): string[] {
  return [
    ...(overlap.mean >= LEAST_OVERLAP
      ? []
      : [`The mean overlap@${COMPARED} is ${overlap.mean.toFixed(3)}, below ${LEAST_OVERLAP}.`]),
    ...(difference.low > LEAST_DIFFERENCE
      ? []
      : [
          `The interval of the difference in nDCG@10 begins at ${difference.low.toFixed(3)}, not above ${LEAST_DIFFERENCE}.`,
        ]),
  ];
}
