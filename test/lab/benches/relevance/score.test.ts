import { describe, expect, test } from 'vitest';
import { type Judgment, meanScores, type ObservationFacts, scoreQuery } from './score.ts';

const TENDER: ObservationFacts = { source: 'tenders', kind: 'procurement_request' };
const FACTS = new Map<number, ObservationFacts>([
  [1, TENDER],
  [2, TENDER],
  [3, TENDER],
  [4, TENDER],
  [5, { source: 'tenders', kind: 'job_posting' }],
  [6, { source: 'notices', kind: 'procurement_request' }],
]);

const JUDGMENT: Judgment = {
  queryId: 'q1',
  query: 'x',
  family: 'A',
  filters: {},
  pool: TENDER,
  relevantCompanies: new Set([10, 20, 30, 40]),
  relevantObservations: new Set([1, 2, 3]),
};

function score(ranking: readonly (readonly [number, readonly number[]])[]) {
  const companies = ranking.map(([id, ids]) => ({ id, observation_ids: ids }));
  return scoreQuery(JUDGMENT, companies, (id) => FACTS.get(Number(id)));
}

describe('scoreQuery', () => {
  test('a company is judged by its nested observations of the pool, and one without any is skipped', () => {
    const scores = score([
      [50, [5, 6]],
      [10, [5, 1]],
      [20, [4]],
      [30, [4, 3]],
    ]);
    // Judged gains: 1 0 1 of four relevant companies.
    const ideal = 1 + 1 / Math.log2(3) + 1 / 2 + 1 / Math.log2(5);
    expect(scores.company_ndcg_10).toBeCloseTo(1.5 / ideal, 9);
    expect(scores.company_recall_100).toBe(2 / 4);
    // By ids, the second judged company is right too.
    expect(scores.company_recall_100_by_id).toBe(3 / 4);
    expect(scores.company_ndcg_10_by_id).toBeCloseTo((1.5 + 1 / Math.log2(3)) / ideal, 9);
  });

  test('nested observations are scored in the order shown, unjudged ones skipped', () => {
    const scores = score([
      [10, [5, 4, 1]],
      [20, [6, 2]],
    ]);
    // In the pool: 4 1 2, gains 0 1 1 of three relevant.
    const sum = 1 / Math.log2(3) + 1 / 2;
    expect(scores.observation_ndcg_10).toBeCloseTo(sum / (1 + sum), 9);
    expect(scores.observation_share).toBe(2 / 5);
    expect(scores.observation_share_of_pool).toBe(2 / 3);
  });

  test('kind precision counts every source, over the first ten companies', () => {
    expect(
      score([
        [10, [6]],
        [20, [5]],
        [30, [5, 4]],
        [40, [5]],
      ]).kind_precision_10,
    ).toBe(2 / 4);
    const many = Array.from({ length: 20 }, (_, index): [number, number[]] => [index, index < 10 ? [6] : [5]]);
    expect(score(many).kind_precision_10).toBe(1);
  });

  test('an empty ranking scores nothing', () => {
    expect(Object.values(score([]))).toEqual([0, 0, 0, 0, 0, 0, 0, 0]);
  });
});

test('means are taken figure by figure', () => {
  const [one, none] = [score([[10, [1]]]), score([])];
  expect(meanScores([one, none])).toMatchObject({ observation_share: 0.5, company_recall_100: 0.125 });
});
