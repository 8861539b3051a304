import { create } from '@bufbuild/protobuf';
import { Country, Kind } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import { SearchFiltersSchema } from '@ces/proto/ces/search/v1/search_pb.ts';
import { expect, test } from 'vitest';
import { loadVocabulary } from '../vocabulary/load-vocabulary.ts';
import { planQuery } from './plan-query.ts';
import { planMistakes } from './validate-plan.ts';

const vocabulary = loadVocabulary();
const NOW = new Date('2026-06-15T00:00:00Z');
const EVENTS = create(SearchFiltersSchema, {
  countries: [Country.CA, Country.US],
  kinds: [Kind.PROCUREMENT_REQUEST, Kind.JOB_POSTING, Kind.LEADERSHIP_CHANGE, Kind.FUNDING_ROUND],
});

const plan = (query: string) => planQuery(query, EVENTS, vocabulary, NOW);
const wordsOf = (query: string) => plan(query).activity.flatMap(({ words }) => words);

test.each([
  ['Janitorial services for three schools, weekends excluded. Halifax.', ['janitorial', 'schools']],
  ['Roof repair, permits excluded. Boston.', ['roof', 'repair']],
  ['HVAC maintenance, parts not included. Winnipeg.', ['hvac', 'maintenance']],
  ['Find a company that will do drywall in Calgary. Must be bonded.', ['drywall']],
  ['A contractor who will do drywall. Calgary.', ['drywall']],
  ['Firms that build houses and provide a warranty. In Texas.', ['houses', 'warranty']],
  ['Insurance agent can be licensed in Ohio', ['agent', 'insurance']],
  ['NOR flash memory makers', ['flash', 'memory']],
  ['Nothing Bundt Cakes franchises', ['bundt', 'cakes']],
  ['no-bid contracts in Texas', ['bid']],
  ['paiement sans contact', ['paiement', 'contact']],
  ['solutions that reduce costs and avoid fines', ['costs', 'fines']],
  ['startups founded in 2020 in Ontario', ['founded']],
])('%s: looks for %j and negates no word of it', (query, wanted) => {
  expect(wordsOf(query)).toEqual(expect.arrayContaining(wanted));
  for (const phrase of plan(query).avoided) for (const word of wanted) expect(phrase.split(' ')).not.toContain(word);
});

test('an opening that names the subject is not an instruction about the answer', () => {
  for (const query of ['Request for proposals: snow removal. Alberta.', 'Request for quotation: pumps. Alberta.'])
    expect(plan(query).kinds.map(({ kind }) => kind)).toContain(Kind.PROCUREMENT_REQUEST);
});

test.each([
  'no-till farms over 500 acres',
  'hospitals with no debt over $10 million',
  'rounds without lead investor over $5 million',
])('%s asks for more than that', (query) => {
  expect(plan(query).facts.map(({ least, most }) => [typeof least, most])).toEqual([['number', undefined]]);
});

test.each(['Trois-Rivières jobs', 'Fort Dix jobs'])('%s: the number in a name counts nothing', (query) => {
  expect(plan(query).facts).toEqual([]);
});

test.each(['this mid-size bank', 'this late stage biotech', 'investing in Mars'])('%s names no time', (query) => {
  const { since, until } = plan(query);
  expect([since, until]).toEqual([undefined, undefined]);
});

test('a list of when companies began stays within the bounds of a plan', () => {
  const profiles = create(SearchFiltersSchema, { kinds: [Kind.COMPANY_PROFILE] });
  const years = Array.from({ length: 250 }, (_, at) => `founded in ${1900 + (at % 120)}`).join(' ');
  expect(planMistakes(planQuery(years, profiles, vocabulary, NOW))).toEqual([]);
});

test('a state between states is no capital', () => {
  expect(plan('data centers in Washington, Oregon and Virginia').places.flatMap(({ names }) => names)).toContain(
    'washington state',
  );
});
