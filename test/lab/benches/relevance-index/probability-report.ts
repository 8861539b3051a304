import type { JudgedRanking } from './judged-companies.ts';
import { mean } from './measures.ts';

/** A ranking and the probability of each of its companies. */
export interface Rated extends JudgedRanking {
  readonly probabilities: readonly number[];
}

const BINS = 10;

/** How often companies answer by how probable it was said to be; the expected error is the mean distance of the two. */
export function reliabilityOf(some: readonly Rated[]) {
  const pairs = some.flatMap(({ companies, probabilities }) =>
    companies.flatMap(({ answers }, at) =>
      answers === undefined ? [] : [{ probability: probabilities[at] ?? 0, answers: Number(answers) }],
    ),
  );
  const bins = Map.groupBy(pairs, ({ probability }) => Math.min(BINS - 1, Math.floor(probability * BINS)));
  const rows = [...bins].toSorted(([a], [b]) => a - b);
  const means = rows.map(([bin, own]) => ({
    bin,
    count: own.length,
    said: mean(own.map(({ probability }) => probability)),
    true: mean(own.map(({ answers }) => answers)),
  }));
  const wrong = means.reduce((sum, one) => sum + one.count * Math.abs(one.said - one.true), 0);
  return {
    companies: pairs.length,
    error: pairs.length === 0 ? 1 : wrong / pairs.length,
    rows: means.map(
      (one) =>
        `from ${(one.bin / BINS).toFixed(1)}: ${String(one.count).padStart(5)} companies, said ${one.said.toFixed(2)}, true ${one.true.toFixed(2)}`,
    ),
  };
}

/** What a least probability, in thousandths, keeps and loses: precision over judged companies, recall over those known to answer. */
export function thresholdOf(some: readonly Rated[], least: number): string {
  const cuts = some.map(({ companies, probabilities, answers }) => {
    const kept = companies.filter((_, at) => (probabilities[at] ?? 0) * 1000 >= least);
    const judged = kept.filter((company) => company.answers !== undefined);
    const right = judged.filter((company) => company.answers === true).length;
    return { kept: kept.length, judged: judged.length, right, answers };
  });
  const answerable = cuts.filter(({ answers }) => answers > 0);
  const unanswerable = cuts.filter(({ answers }) => answers === 0);
  const figures = [
    mean(answerable.map(({ right, judged }) => (judged === 0 ? 0 : right / judged))).toFixed(3),
    mean(answerable.map(({ right, answers }) => right / answers)).toFixed(3),
    `${answerable.filter(({ kept }) => kept === 0).length} of ${answerable.length}`,
    `${unanswerable.filter(({ kept }) => kept === 0).length} of ${unanswerable.length}`,
    mean(cuts.map(({ kept }) => kept)).toFixed(0),
  ];
  return [(least / 1000).toFixed(2), ...figures].join('  ');
}
