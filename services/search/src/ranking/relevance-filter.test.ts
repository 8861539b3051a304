import { Kind } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import type { Plan } from '@ces/proto/ces/search/v1/search_pb.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { company, filters, observation } from '../../test-support/documents.ts';
import type { IndexUnderTest } from '../../test-support/index-under-test.ts';
import { openPostgresIndex } from '../../test-support/postgres-index.ts';
import { planOfAnswer } from '../planning/outside/plan-of-answer.ts';
import { planQuery } from '../planning/plan-query.ts';
import { loadVocabulary } from '../vocabulary/load-vocabulary.ts';
import { currentCalibration } from './calibration.ts';
import { rankCompanies } from './rank-companies.ts';

// Tests on real Postgres which companies the calibration and a small minimum exclude.
const LEAST = 100;
const vocabulary = loadVocabulary();
const NOW = new Date('2026-11-01T00:00:00Z');

const PLANT = 'opens a battery storage plant in Ohio';
const ODD = 'bought a plant pot in Nevada';
const ODD_ID = 900n;
const WORDS = [
  'battery storage in Ohio',
  '"battery storage" plants in Ohio',
  'battery storage plants in Ohio -granite',
  'makers of battery cells and modules that open new battery storage plants in Ohio in 2026, with jobs for hundreds',
];
const WITHOUT_WORDS = [
  'facility expansions',
  'facility expansions in Ohio',
  'in the United States',
  'since 2020',
  '-pot',
];

/**
 * Applies `answers` companies that state `fact`, one that barely answers, and unrelated
 * observations up to `size`.
 */
async function openRecord(size: number, answers: number, fact = PLANT): Promise<IndexUnderTest> {
  const subject = await openPostgresIndex();
  const answering = Array.from({ length: answers }, (_, at) => BigInt(at + 1));
  const others = Array.from({ length: Math.max(0, size - answers - 1) }, (_, at) => BigInt(10_000 + at));
  await subject.apply({
    companies: [...answering, ODD_ID, 901n].map((id) => company(id, `Works ${id}`)),
    observations: [
      ...answering.map((id) => observation(id, id, fact)),
      ...(size > answers ? [observation(ODD_ID, ODD_ID, ODD)] : []),
      ...others.map((id) => observation(id, 901n, `paints shed ${id}`)),
    ],
  });
  return subject;
}

function planOf(query: string, within = filters()): Plan {
  return planQuery(query, within, vocabulary, NOW);
}

async function companiesOf(subject: IndexUnderTest, plan: Plan, minimumRelevance: number, within = filters()) {
  const limits = {
    candidates: 2000,
    companies: 1000,
    calibration: { ...currentCalibration(), trusted: true },
  };
  const how = { timeoutMs: undefined };
  const found = await rankCompanies(subject.index, { ...plan, minimumRelevance }, within, limits, how);
  return { ids: found.companies.map(({ companyId }) => companyId), validated: found.relevanceValidated };
}

describe.each([1, 10, 100, 999])('in a record of %i observations', (size) => {
  let subject: IndexUnderTest;
  beforeAll(async () => {
    subject = await openRecord(size, Math.ceil(size / 10));
  });
  afterAll(() => subject[Symbol.asyncDispose]());

  test.each([...WORDS, ...WITHOUT_WORDS])(
    '"%s" finds whatever it would find without a least probability',
    async (query) => {
      const { ids, validated } = await companiesOf(subject, planOf(query), LEAST);
      expect(ids).toEqual((await companiesOf(subject, planOf(query), 0)).ids);
      expect(ids).toContain(1n);
      expect(validated).toBe(false);
    },
  );
});

describe.each([1000, 3000])('in a record of %i observations', (size) => {
  let subject: IndexUnderTest;
  beforeAll(async () => {
    subject = await openRecord(size, 20);
  });
  afterAll(() => subject[Symbol.asyncDispose]());

  test.each(WORDS)('"%s" keeps every company that answers', async (query) => {
    const { ids, validated } = await companiesOf(subject, planOf(query), LEAST);
    expect(ids.filter((id) => id <= 20n)).toHaveLength(20);
    expect(validated).toBe(true);
  });

  test('companies elsewhere are left out, whatever the minimum probability', async () => {
    for (const minimum of [0, LEAST]) {
      expect((await companiesOf(subject, planOf('battery storage plants'), minimum)).ids).toContain(ODD_ID);
      expect((await companiesOf(subject, planOf('battery storage plants in Ohio'), minimum)).ids).not.toContain(ODD_ID);
    }
  });

  test.each(WITHOUT_WORDS)(
    '"%s", which asks for no words, leaves out none, whatever the least probability',
    async (query) => {
      const { ids, validated } = await companiesOf(subject, planOf(query), 1000);
      expect(ids).toEqual((await companiesOf(subject, planOf(query), 0)).ids);
      expect(ids).toContain(1n);
      expect(validated).toBe(false);
    },
  );

  test('the plan of an outside planner keeps every company that answers', async () => {
    const item = (words: string) => ({ words, weight: 1, related: [] });
    const answer = {
      activity: [item('battery storage'), item('plant'), item('expansion')],
      company: [item('battery maker')],
      places: ['Ohio'],
      kinds: [],
      since: null,
    };
    const plan = planOfAnswer('battery storage plants in Ohio', answer, filters(), vocabulary, 'outside/1 x');
    const { ids, validated } = await companiesOf(subject, plan, LEAST);
    expect(ids.filter((id) => id <= 20n)).toHaveLength(20);
    expect(validated).toBe(true);
  });
});

test('where every word is in every text, all that answer stay', async () => {
  await using subject = await openRecord(1000, 890);
  for (const query of WORDS) {
    const { ids, validated } = await companiesOf(subject, planOf(query), LEAST);
    expect(ids.filter((id) => id !== ODD_ID)).toHaveLength(890);
    expect(validated).toBe(true);
  }
});

test('a record of one company finds it', async () => {
  await using subject = await openPostgresIndex();
  const ids = Array.from({ length: 1200 }, (_, at) => BigInt(at + 1));
  await subject.apply({
    companies: [company(1n, 'Works')],
    observations: ids.map((id) => observation(id, 1n, `${PLANT} number ${id}`)),
  });
  for (const query of [...WORDS.slice(0, -1), 'plant number 77'])
    expect((await companiesOf(subject, planOf(query), LEAST)).ids).toEqual([1n]);
});

test('profiles that answer stay in a record of profiles', async () => {
  await using subject = await openPostgresIndex();
  const ids = Array.from({ length: 1200 }, (_, at) => BigInt(at + 1));
  const saying = (id: bigint) => (id <= 20n ? 'Makes batteries for storage of energy.' : `Paints sheds of kind ${id}.`);
  const undated = { kind: Kind.COMPANY_PROFILE, occurredAt: undefined };
  await subject.apply({
    companies: ids.map((id) => company(id, `Works ${id}`, { profile: saying(id) })),
    observations: ids.map((id) => observation(id, id, saying(id), undated)),
  });
  const within = filters({ kinds: [Kind.COMPANY_PROFILE] });
  const { ids: found, validated } = await companiesOf(subject, planOf('makers of batteries', within), LEAST, within);
  expect(found.toSorted((a, b) => Number(a - b)).slice(0, 20)).toEqual(ids.slice(0, 20));
  expect(validated).toBe(true);
});

test('a word that every observation of a large record has excludes no company', async () => {
  await using subject = await openPostgresIndex();
  const ids = Array.from({ length: 1_500 }, (_, at) => BigInt(at + 1));
  await subject.apply({
    companies: ids.map((id) => company(id, `Works ${id}`)),
    observations: ids.map((id) => observation(id, id, `battery plant ${id}`)),
  });
  const { ids: found, validated } = await companiesOf(subject, planOf('battery'), LEAST);
  expect(found.length).toBeGreaterThan(100);
  expect(validated).toBe(false);
});
