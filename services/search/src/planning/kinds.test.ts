import { Kind } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import { NOT_RECORDED } from '@ces/proto/not-recorded';
import { expect, test } from 'vitest';
import { filters } from '../../test-support/documents.ts';
import { loadVocabulary } from '../vocabulary/load-vocabulary.ts';
import { planOfAnswer } from './outside/plan-of-answer.ts';
import { planQuery } from './plan-query.ts';
import { planMistakes } from './validate-plan.ts';

const vocabulary = loadVocabulary();
const planOf = (query: string, init: Parameters<typeof filters>[0] = {}) =>
  planQuery(query, filters(init), vocabulary, new Date('2026-11-20T12:00:00Z'));
const named = (query: string, init: Parameters<typeof filters>[0] = {}) =>
  planOf(query, init).kinds.flatMap(({ kind, factor }) => (factor > 1 ? [kind] : []));
const supported = (query: string) =>
  planOf(query).activity.flatMap(({ text, supportsKinds }) => (supportsKinds.length > 0 ? [text] : []));

test.each([
  ['expansion', Kind.FACILITY_EXPANSION],
  ['CFO resigned', Kind.LEADERSHIP_CHANGE],
  ['venture capital', Kind.FUNDING_ROUND],
  ['joint ventures', Kind.PARTNERSHIP],
  ['coentreprise', Kind.PARTNERSHIP],
])('"%s": its words support the kind that they name', (query, kind) => {
  const plan = planOf(query);
  expect(named(query)).toEqual([kind]);
  expect(plan.activity.filter(({ words }) => words.length > 0).map(({ supportsKinds }) => supportsKinds)).toEqual(
    query.split(' ').map(() => [kind]),
  );
  expect(planMistakes(plan)).toEqual([]);
});

test('words that say more than a kind are searched for like other words', () => {
  expect(supported('solar farms')).toEqual([]);
  expect(supported('battery expansion')).toEqual(['expansion']);
});

test('a thing names a kind only where no other phrase names one', () => {
  expect(named('battery plants')).toEqual([Kind.FACILITY_EXPANSION]);
  expect(named('jobs at plants')).toEqual([Kind.JOB_POSTING]);
  expect(supported('jobs at plants')).toEqual([]);
});

test('a word with many meanings names a kind only where the query says nothing else', () => {
  expect(named('staffing in Texas')).toEqual([Kind.JOB_POSTING]);
  expect(named('staffing agencies')).toEqual([]);
  expect(named('partners')).toEqual([Kind.PARTNERSHIP]);
  expect(named('partner portals')).toEqual([]);
});

test.each([
  ['bids wanted', Kind.PROCUREMENT_REQUEST],
  ['workers wanted', Kind.JOB_POSTING],
  ['plant openings', Kind.FACILITY_EXPANSION],
  ['job openings', Kind.JOB_POSTING],
  ['hired a new CEO', Kind.LEADERSHIP_CHANGE],
])('"%s": the longest phrase says which kind it is', (query, kind) => {
  expect(named(query)).toEqual([kind]);
});

test('words for companies name profiles where profiles may be shown, and keep no other kind out', () => {
  expect(named('manufacturers in Ohio')).toEqual([]);
  const plan = planOf('manufacturers in Ohio', { kinds: [Kind.FACILITY_EXPANSION, Kind.COMPANY_PROFILE] });
  expect(plan.kinds.find(({ kind }) => kind === Kind.COMPANY_PROFILE)?.factor).toBeGreaterThan(1);
  expect(Math.min(...plan.kinds.map(({ factor }) => factor))).toBeGreaterThanOrEqual(0.5);
});

test.each([
  ['layoffs', 'layoffs_not_recorded'],
  ['who laid off staff in Ohio', 'layoffs_not_recorded'],
  ['merger', 'acquisitions_not_recorded'],
  ['acquisition', 'acquisitions_not_recorded'],
  ['M&A in Ontario', 'acquisitions_not_recorded'],
  ['dairies that were acquired', 'acquisitions_not_recorded'],
  ['plant closures', 'closures_not_recorded'],
  ['companies filing for bankruptcy', 'bankruptcies_not_recorded'],
  ['lawsuits against banks', 'lawsuits_not_recorded'],
  ['patents', 'patents_not_recorded'],
  ['stock prices of miners', 'stock_prices_not_recorded'],
  ['quarterly earnings', 'financial_results_not_recorded'],
  ['email addresses of buyers', 'contact_details_not_recorded'],
  ['data breaches', 'data_breaches_not_recorded'],
  ['licenciements', 'layoffs_not_recorded'],
  ['faillites au Québec', 'bankruptcies_not_recorded'],
])('"%s" asks for facts that no kind holds, and is searched for nevertheless', (query, limitation) => {
  const plan = planOf(query);
  expect(plan.notRecorded).toEqual([limitation]);
  expect(plan.empty).toBe(false);
  expect(plan.activity.length).toBeGreaterThan(0);
  expect(planMistakes(plan)).toEqual([]);
});

test.each([
  ['companies closing a factory', 'closures_not_recorded'],
  ['closing a plant', 'closures_not_recorded'],
  ['closing their factories', 'closures_not_recorded'],
  ['who closed its plant', 'closures_not_recorded'],
  ['closing two factories in Ohio', 'closures_not_recorded'],
  ['shutting a factory', 'closures_not_recorded'],
  ['plants that shut', 'closures_not_recorded'],
  ['closing the office', 'closures_not_recorded'],
  ['close a store', 'closures_not_recorded'],
  ['cutting 500 jobs', 'layoffs_not_recorded'],
  ['companies that cut 200 positions', 'layoffs_not_recorded'],
  ['cutting 300 positions', 'layoffs_not_recorded'],
  ['laying off 300 workers', 'layoffs_not_recorded'],
  ['cut jobs', 'layoffs_not_recorded'],
  ['who sued a bank', 'lawsuits_not_recorded'],
  ['companies being sued', 'lawsuits_not_recorded'],
])('"%s" asks for what no kind holds, and for no kind', (query, limitation) => {
  expect(planOf(query).notRecorded).toEqual([limitation]);
  expect(named(query)).toEqual([]);
});

test('a kind is recognised next to a kind that is not recorded', () => {
  const query = 'opening a factory and closing an office';
  expect(planOf(query).notRecorded).toEqual(['closures_not_recorded']);
  expect(named(query)).toEqual([Kind.FACILITY_EXPANSION]);
});

test('every limitation about facts that are not recorded can be requested', () => {
  const asked = ['layoffs', 'mergers', 'shutdowns', 'insolvency', 'litigation', 'patents', 'dividends', 'revenue'];
  const found = [...asked, 'phone numbers', 'hacked'].flatMap((query) => planOf(query).notRecorded);
  expect(found.toSorted()).toEqual(Object.keys(NOT_RECORDED).toSorted());
});

test.each([
  'hiring, not layoffs',
  'merger agreements signed by banks',
  'tenders for acquisition software',
  'customer acquisition',
  'patent attorneys',
  'patent and trademark lawyers',
  'revenue cycle management software',
  'email marketing software',
  'litigation support tender',
  'bankruptcy trustees',
  'Sue Ryder',
  'creating 500 jobs',
  'new plants',
])('"%s" asks for nothing that is not recorded', (query) => {
  expect(planOf(query).notRecorded).toEqual([]);
});

test('a plan of an outside planner says what is not recorded too', () => {
  const answer = {
    activity: [{ words: 'layoff', weight: 1, related: [] }],
    company: [],
    places: [],
    kinds: [],
    since: null,
  };
  const plan = planOfAnswer('layoffs in Ohio', answer, filters(), vocabulary, 'outside/1 x');
  expect(plan.notRecorded).toEqual(['layoffs_not_recorded']);
});
