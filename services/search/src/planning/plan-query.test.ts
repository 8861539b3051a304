import { Country, Kind } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import type { Term } from '@ces/proto/ces/search/v1/search_pb.ts';
import { superlinear } from '@ces/test/support/growth.ts';
import { describe, expect, test } from 'vitest';
import { filters } from '../../test-support/documents.ts';
import { loadVocabulary, type Vocabulary } from '../vocabulary/load-vocabulary.ts';
import { PhraseTable } from '../vocabulary/phrase-table.ts';
import { planQuery } from './plan-query.ts';
import { planMistakes } from './validate-plan.ts';

const vocabulary = loadVocabulary();
const NOW = new Date('2026-11-20T12:00:00Z');

function planOf(query: string, init: Parameters<typeof filters>[0] = {}) {
  return planQuery(query, filters(init), vocabulary, NOW);
}

function weights(terms: readonly Term[]): Record<string, number> {
  return Object.fromEntries(
    terms.flatMap(({ words, weight, namesKinds }) => (words[0] && namesKinds.length === 0 ? [[words[0], weight]] : [])),
  );
}

function named(query: string, init: Parameters<typeof filters>[0] = {}): Kind[] {
  return planOf(query, init).kinds.flatMap(({ kind, factor }) => (factor > 1 ? [kind] : []));
}

test('every plan of the built-in planner is valid', () => {
  const queries = ['x', '"', '-', '- -', '"" -""', 'C# -"visual basic"', 'since 2023', 'ß 漢字 🙂', 'a '.repeat(2000)];
  for (const query of queries) expect(planMistakes(planOf(query))).toEqual([]);
});

test('only stop words leave nothing to search for', () => {
  expect(planOf('the of and which').empty).toBe(true);
  expect(planOf('—?!').empty).toBe(true);
  for (const query of ['companies', 'since 2023', '-solar', 'not in Texas']) expect(planOf(query).empty).toBe(false);
  expect(planOf('hiring').empty).toBe(false);
  expect(planOf('in Texas').empty).toBe(false);
  expect(planOf('"of the"').empty).toBe(false);
});

test('a query describes the company as well as its activity', () => {
  const plan = planOf('offshore wind');
  expect(weights(plan.activity)).toEqual(weights(plan.description));
});

test('kinds named in words neither score nor filter', () => {
  expect(named('tenders for office chairs')).toEqual([Kind.PROCUREMENT_REQUEST]);
  expect(named('startups that raised money')).toEqual([Kind.FUNDING_ROUND]);
  expect(named('officer changes at medical device makers')).toEqual([Kind.LEADERSHIP_CHANGE]);
  expect(named('hiring Rust developers')).toEqual([Kind.JOB_POSTING]);
  expect(named('desks and chairs')).toEqual([]);
  expect(planOf('tenders for chairs').kinds.every(({ factor }) => factor > 0)).toBe(true);
});

test('the words searched for are the same for all filters of kinds', () => {
  for (const query of [
    'job posting tools',
    'opening a bakery',
    'machine learning',
    'executive departures at airlines',
  ]) {
    const all = planOf(query);
    expect(planOf(query, { kinds: [Kind.PROCUREMENT_REQUEST] })).toEqual(all);
    expect(planOf(query, { kinds: [Kind.JOB_POSTING, Kind.COMPANY_PROFILE] })).toEqual(all);
  }
});

test('words that name a kind are words for every other kind, but for those searched for anyway', () => {
  const namesOf = (query: string) =>
    planOf(query).activity.flatMap(({ words, namesKinds }) =>
      namesKinds.length > 0 ? [[words[0], ...namesKinds]] : [],
    );
  expect(namesOf('job posting tools')).toEqual([
    ['job', Kind.JOB_POSTING],
    ['posting', Kind.JOB_POSTING],
  ]);
  expect(namesOf('tender for a plant')).toEqual([['tender', Kind.PROCUREMENT_REQUEST]]);
  expect(namesOf('job posting tools for every job "job"')).toEqual([
    ['job', Kind.JOB_POSTING],
    ['posting', Kind.JOB_POSTING],
  ]);
});

test.each([
  ['deals of makers of surgical tools', Kind.PARTNERSHIP],
  ['venture deals in Ohio', Kind.FUNDING_ROUND],
  ['officers coming or going at banks', Kind.LEADERSHIP_CHANGE],
])('"%s" names one kind', (query, kind) => {
  expect(named(query)).toEqual([kind]);
});

test('places are separate from words, and regions are expanded to their places', () => {
  const plan = planOf('battery plants in Georgia, Tennessee and the Carolinas');
  expect(plan.places.map(({ text }) => text)).toEqual(['georgia', 'tennessee', 'north carolina']);
  expect(plan.places[2]?.names).toEqual(expect.arrayContaining(['north carolina', 'south carolina']));
  expect(Object.keys(weights(plan.activity))).toEqual(['battery', 'plants']);
});

test('a country is a place, unless the filter demands it anyway', () => {
  expect(planOf('software openings in Canada').places).toMatchObject([{ country: Country.CA }]);
  const filtered = planOf('software openings in Canada', { countries: [Country.CA] });
  expect(filtered.places).toEqual([]);
  expect(weights(filtered.activity)).not.toHaveProperty('canada');
});

test('the longest place counts', () => {
  expect(planOf('mines in West Virginia').places.map(({ text }) => text)).toEqual(['west virginia']);
});

test('quoted phrases and words after a minus are hard; the words of phrases score too', () => {
  const plan = planOf('"battery plant" -solar -"power purchase" less-than-truckload “gigafactory”');
  expect(plan.phrases).toEqual(['battery plant', 'gigafactory']);
  expect(plan.excluded).toEqual(['solar', 'power purchase']);
  expect(Object.keys(weights(plan.activity))).toEqual(['battery', 'plant', 'less', 'truckload', 'gigafactory']);
});

test('a search of only profiles compares with the profile itself', () => {
  expect(planOf('solar panel makers', { kinds: [Kind.COMPANY_PROFILE] }).description).toEqual([]);
});

test('related words have a lower weight than the word', () => {
  const [chip] = planOf('chips').activity;
  expect(chip?.related).toContainEqual(expect.objectContaining({ words: ['semiconductor'], weight: 0.35 }));
});

test('a French query is searched for in English too', () => {
  const plan = planOf("emplois d'analystes dans les banques au Québec");
  expect(plan.places.map(({ text }) => text)).toEqual(['quebec']);
  expect(plan.kinds.find(({ factor }) => factor > 1)?.kind).toBe(Kind.JOB_POSTING);
  const words = plan.activity.flatMap(({ words, related }) => [...words, ...related.flatMap((one) => one.words)]);
  expect(words).toEqual(expect.arrayContaining(['analyst', 'bank']));
  expect(words).not.toContain('d');
});

test('small French words are not searched for', () => {
  const words = Object.keys(weights(planOf('réparation de navires de la garde côtière').activity));
  expect(words.filter((word) => word === 'de' || word === 'la')).toEqual([]);
  expect(words).toContain('navires');
});

test('capitals distinguish the country from the pronoun and the department from the pronoun', () => {
  expect(planOf('plants in the US').places).toMatchObject([{ country: Country.US }]);
  expect(planOf('show us plants').places).toEqual([]);
  expect(weights(planOf('IT services').activity)).toHaveProperty('information');
});

test('opening a site asks for facilities, and the business of the owner also describes the site', () => {
  const plan = planOf('cold storage companies opening a warehouse');
  expect(plan.kinds.filter(({ factor }) => factor > 1).map(({ kind }) => kind)).toEqual([Kind.FACILITY_EXPANSION]);
  expect(weights(plan.description)).toMatchObject({ cold: expect.any(Number), storage: expect.any(Number) });
  const { warehouse = 0, cold = 0 } = weights(plan.activity);
  expect(cold).toBe(warehouse);
});

test('a job opening is no opening of a site', () => {
  const plan = planOf('warehouse job openings');
  expect(plan.kinds.filter(({ factor }) => factor > 1).map(({ kind }) => kind)).toEqual([Kind.JOB_POSTING]);
});

test('a query longer than any question is searched for its first words, and says what it leaves out', () => {
  const words = Array.from({ length: 1000 }, (_, index) => `w${index}`);
  const plan = planOf([...words, 'x'.repeat(300)].join(' '));
  expect(plan.activity).toHaveLength(120);
  expect(plan.leftOut).toHaveLength(881);
});

test('a word longer than any text has finds nothing', () => {
  expect(planOf('x'.repeat(4000)).empty).toBe(true);
});

/**
 * An empty vocabulary makes the linear part of planning cheap, so that quadratic growth is visible.
 */
const IGNORANT: Vocabulary = {
  stopWords: new Set(),
  generic: new Set(),
  kinds: new PhraseTable(),
  technologies: new PhraseTable(),
  places: new PhraseTable(),
  placeCodes: new Map(),
  states: new PhraseTable(),
  related: new PhraseTable(),
};

test('signs that expand to sentences make no more words than a query of letters has', () => {
  expect(planOf('\ufdfa'.repeat(4_000)).leftOut.length).toBeLessThan(2_010);
});

describe('a plan takes time as its words do', { tags: 'nightly' }, () => {
  const repeated = (words: string) => [words, (size: number) => words.repeat(size)] as const;
  const distinct = (size: number) => Array.from({ length: size }, (_, at) => `w${at}`).join(' ');
  test.each([['distinct words', distinct] as const, ...['a ', '"a" ', 'not a, '].map(repeated)])(
    '%j, by a vocabulary that knows none',
    (_name, make) => {
      const plan = (query: string) => planQuery(query, filters(), IGNORANT, NOW);
      expect(superlinear(make, plan, { from: 1_024, to: 16_384 })).toBeUndefined();
    },
  );

  const REPEATED = [
    ...['a ', 'new york ', '-c ', 'machine learning ', 'Jackson, TN and ', 'near near Toronto area area '],
    ...['not in Texas, ', 'q1 2026 to q2 2026 ', 'outside Detroit ', 'no plants. ', 'no plants before 2020 '],
    ...[
      'Skip plants, or mills. ',
      'Mills are of no use. ',
      'in March or ',
      'the ',
      'not the ones in ',
      'Washington and ',
    ],
    ...['We mill. Which mill? ', 'over 3 mills ', 'founded in 1900 ', 'jobs at banks. '],
  ];
  test.each(REPEATED.map(repeated))('%j again and again', (_name, make) => {
    expect(superlinear(make, (query) => planOf(query), { from: 128, to: 4_096 })).toBeUndefined();
  });
});
