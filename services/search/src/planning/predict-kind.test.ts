import { Kind } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import { expect, test } from 'vitest';
import { filters } from '../../test-support/documents.ts';
import { loadVocabulary } from '../vocabulary/load-vocabulary.ts';
import { kindFeatures } from './kind-features.ts';
import { planQuery } from './plan-query.ts';
import { planMistakes } from './validate-plan.ts';
import { PREDICTED_KIND } from './weights.ts';

const vocabulary = loadVocabulary();
const EVENTS = [Kind.PROCUREMENT_REQUEST, Kind.FACILITY_EXPANSION, Kind.JOB_POSTING, Kind.LEADERSHIP_CHANGE];

const planOf = (query: string, kinds: Kind[] = EVENTS) =>
  planQuery(query, filters({ kinds }), vocabulary, new Date('2026-11-20T12:00:00Z'));
const readIn = (query: string, kinds?: Kind[]) =>
  planOf(query, kinds).kinds.flatMap(({ kind, factor }) => (factor === PREDICTED_KIND ? [kind] : []));

test.each([
  ['companies that are short of welders in Ohio', Kind.JOB_POSTING],
  ['dental hygienists', Kind.JOB_POSTING],
  ['agencies requesting quotes for road salt', Kind.PROCUREMENT_REQUEST],
  ['airlines whose finance chief quit', Kind.LEADERSHIP_CHANGE],
])('%s: a kind is read off words that name none', (query, kind) => {
  expect(readIn(query)).toEqual([kind]);
  expect(planMistakes(planOf(query))).toEqual([]);
});

test.each(['plant nurseries', 'staffing agencies', 'makers of fire trucks', 'dairy farms in Texas', 'x', ''])(
  '%s: asks for no kind',
  (query) => {
    expect(readIn(query)).toEqual([]);
  },
);

test('nothing is read where the filters say which kind it is', () => {
  expect(planOf('dental hygienists', [Kind.PROCUREMENT_REQUEST]).kinds).toEqual([]);
  expect(planOf('dental hygienists', [Kind.PROCUREMENT_REQUEST, Kind.FACILITY_EXPANSION]).kinds).toEqual([]);
});

test('places, technologies and numbers are the same whichever they are, and only the first words are looked at', () => {
  const featuresOf = (words: string, taken: number[] = []) =>
    kindFeatures(words.split(' '), new Set(taken), vocabulary);
  expect(featuresOf('nurses in ohio', [2])).toEqual(featuresOf('nurses in texas', [2]));
  expect(featuresOf('runs kubernetes')).toEqual(featuresOf('runs salesforce'));
  expect(featuresOf('500 nurses')).toEqual(featuresOf('20 nurses'));
  expect(featuresOf('w '.repeat(60)).length).toBe(featuresOf('w '.repeat(4000)).length);
});
