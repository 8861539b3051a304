import { mkdtempSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { RankedCompany } from '@ces/search/ranking/rank-companies';
import { expect, test } from 'vitest';
import { agreementOf, type BlindQuery, readBlindJudgments, scoreBlind } from './blind.ts';

const QUERY: BlindQuery = {
  query_id: 'b1',
  query: 'x',
  kind: 'company_profile',
  need: 'x',
  hard: [],
  filters: {},
};

/** Companies with the observations that they show. Observation 31 belongs to company 3. */
function ranking(...companies: (readonly [number, readonly number[]])[]): RankedCompany[] {
  return companies.map(([id, shown]) => ({
    companyId: BigInt(id),
    score: 1,
    hits: shown.map((observation) => ({ observationId: BigInt(observation) })),
  })) as unknown as RankedCompany[];
}

const companyOf = (observation: bigint) => observation / 10n;

test('a company counts by evidence only when what it shows is relevant', () => {
  const judged = new Map([
    [11n, false],
    [12n, true],
    [21n, true],
  ]);
  const score = scoreBlind(QUERY, ranking([1, [11]], [2, [21]], [3, [31]]), judged, companyOf);
  const ideal = 1 + 1 / Math.log2(3);
  expect(score.byEvidence).toBeCloseTo(1 / Math.log2(3) / ideal, 9);
  expect(score.byCompany).toBeCloseTo(1, 9);
  expect(score).toMatchObject({ precision: 1 / 3, unjudged: 1, answers: 2 });
});

test('the last reading of an observation counts, and two readings are compared', () => {
  const file = path.join(mkdtempSync(path.join(os.tmpdir(), 'blind-')), 'judgments.jsonl');
  const lines = [
    { query_id: 'b1', pass: 3, relevant: [], irrelevant: [2] },
    { query_id: 'b1', pass: 1, relevant: [1, 2], irrelevant: [3, 4] },
    { query_id: 'b1', pass: 2, relevant: [1], irrelevant: [2, 3, 4] },
  ];
  writeFileSync(file, lines.map((line) => JSON.stringify(line)).join('\n'));
  expect([...(readBlindJudgments(file).get('b1') ?? [])].filter(([, verdict]) => verdict)).toEqual([[1n, true]]);
  // Half are relevant by the first, a quarter by the second: by chance they would agree on .5.
  expect(agreementOf(file)).toEqual({ pairs: 4, same: 0.75, kappa: 0.5 });
});

test('a file of judgments that is not there yet holds nothing', () => {
  expect(readBlindJudgments('/nowhere/judgments.jsonl').size).toBe(0);
});
