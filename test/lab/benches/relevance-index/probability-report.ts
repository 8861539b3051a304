import { mean, ndcg } from './measures.ts';

/** A company that was found for a judged query. */
interface RatedCompany {
  readonly probability: number;
  /** Whether an observation that it shows was judged to answer; undefined if none was judged. */
  readonly answers: boolean | undefined;
}

/** A judged query with the companies found for it. */
export interface Rated {
  readonly companies: readonly RatedCompany[];
  /** Companies known to answer, found or not. */
  readonly answers: number;
}

/** Companies of a page. */
const PAGE = 25;
const BINS = 10;
const DEPTH = 10;

/**
 * How often companies answer, by their predicted probability. The expected error is the mean
 * distance of the two.
 */
export function reliabilityOf(some: readonly Rated[]) {
  const pairs = some.flatMap(({ companies }) =>
    companies.flatMap(({ probability, answers }) =>
      answers === undefined ? [] : [{ probability, answers: Number(answers) }],
    ),
  );
  const bins = Map.groupBy(pairs, ({ probability }) => Math.min(BINS - 1, Math.floor(probability * BINS)));
  const means = [...bins]
    .toSorted(([a], [b]) => a - b)
    .map(([bin, own]) => ({
      bin,
      count: own.length,
      given: mean(own.map(({ probability }) => probability)),
      true: mean(own.map(({ answers }) => answers)),
    }));
  const wrong = means.reduce((sum, one) => sum + one.count * Math.abs(one.given - one.true), 0);
  return {
    companies: pairs.length,
    error: pairs.length === 0 ? 1 : wrong / pairs.length,
    rows: means.map((one) => [
      (one.bin / BINS).toFixed(1),
      String(one.count),
      one.given.toFixed(2),
      one.true.toFixed(2),
    ]),
  };
}

/**
 * Pages of 25 companies with at least a given probability. Measures precision, recall of
 * min(25, answers), answerable queries without a company, and companies delivered for queries
 * without an answer. Unjudged companies count as wrong.
 */
export function pageOf(some: readonly Rated[], least: number): string[] {
  const pages = some.map(({ companies, answers }) => {
    const page = inOrder(companies)
      .filter(({ probability }) => probability >= least)
      .slice(0, PAGE);
    return { size: page.length, right: page.filter((one) => one.answers === true).length, answers };
  });
  const answerable = pages.filter(({ answers }) => answers > 0);
  return [
    least.toFixed(2),
    mean(answerable.filter(({ size }) => size > 0).map(({ right, size }) => right / size)).toFixed(3),
    mean(answerable.map(({ right, answers }) => right / Math.min(PAGE, answers))).toFixed(3),
    `${answerable.filter(({ size }) => size === 0).length} of ${answerable.length}`,
    mean(pages.filter(({ answers }) => answers === 0).map(({ size }) => size)).toFixed(1),
  ];
}

/** Mean nDCG@10 in the order of probability. */
export function gainOf(some: readonly Rated[]): number {
  const answerable = some.filter(({ answers }) => answers > 0);
  return mean(
    answerable.map(({ companies, answers }) =>
      ndcg(
        inOrder(companies).map((one) => one.answers === true),
        answers,
        DEPTH,
      ),
    ),
  );
}

function inOrder(companies: readonly RatedCompany[]): readonly RatedCompany[] {
  return companies.toSorted((a, b) => b.probability - a.probability);
}
