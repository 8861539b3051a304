import { Country } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import { describe, expect, test } from 'vitest';
import { filters } from '../../test-support/documents.ts';
import { loadVocabulary } from '../vocabulary/load-vocabulary.ts';
import { planQuery } from './plan-query.ts';

const vocabulary = loadVocabulary();

function plan(query: string, countries: Country[] = []) {
  return planQuery(query, filters({ countries }), vocabulary, new Date('2026-11-20T12:00:00Z'));
}

function places(query: string, countries: Country[] = []): string[] {
  return plan(query, countries).places.map(({ text }) => text);
}

function names(query: string, countries: Country[] = []): string[] {
  return plan(query, countries).places.flatMap((place) => place.names);
}

function near(query: string): string[] {
  return plan(query).places.flatMap((place) => place.near);
}

function words(query: string): string[] {
  return plan(query).activity.map(({ text }) => text);
}

describe('states and provinces', () => {
  test.each([
    ['mills in West Virginia', ['west virginia']],
    ['mills in Virginia', ['virginia']],
    ['mills in British Columbia', ['british columbia']],
    ['mills in the province of Québec', ['quebec']],
    ['mills en Colombie-Britannique', ['british columbia']],
    ["mills à l'Île-du-Prince-Édouard", ['prince edward island']],
    ['mills in TX, OK and LA', ['texas', 'oklahoma', 'louisiana']],
    ['mills in northern Ontario', ['ontario']],
  ])('"%s" names %j', (query, expected) => {
    expect(places(query)).toEqual(expected);
    expect(words(query)).toContain('mills');
    expect(words(query)).not.toContain(expected[0]);
  });

  test('their largest cities are weaker evidence of them, in a text that does not name them', () => {
    expect(names('mills in Alberta')).toContain('alberta');
    expect(near('mills in Alberta')).toEqual(expect.arrayContaining(['calgary', 'edmonton']));
  });

  test('a longer name that holds theirs and means another place does not', () => {
    const [virginia] = plan('mills in Virginia').places;
    expect(virginia?.except).toContain('west virginia');
    expect(plan('mills in Washington').places[0]?.except).toContain('washington dc');
  });

  test('a code counts only in the position of a place', () => {
    expect(places('mills in OR')).toEqual(['oregon']);
    for (const query of ['PA systems', 'mills or plants', 'hiring in PR', 'IN VITRO TESTS', 'me and my mills'])
      expect(places(query)).toEqual([]);
  });

  test('"CA" is California and Canada, whichever a filter leaves in', () => {
    for (const countries of [[], [Country.US], [Country.CA, Country.US]])
      expect(plan('mills in CA', countries).places).toMatchObject([{ text: 'california', country: Country.CA }]);
    expect(plan('mills in CA', [Country.CA]).places).toEqual([]);
  });
});

describe('cities', () => {
  test.each([
    ['plants in Toronto', 'toronto'],
    ['plants in Moose Jaw, SK', 'moose jaw sk saskatchewan'],
    ['plants near Smallville, Kansas', 'smallville ks kansas'],
    ['plants in Vancouver, WA', 'vancouver wa washington'],
    ['plants in Vancouver Washington', 'vancouver wa washington'],
    ['plants in Vancouver', 'vancouver'],
    ['plants in London ON', 'london on ontario'],
    ['plants in Ontario, CA', 'ontario ca california'],
    ['plants in New York, NY', 'new york ny new york'],
    ['plants in Washington, DC', 'district of columbia'],
    ['usines à Montréal', 'montreal'],
  ])('"%s" names only %s', (query, place) => {
    expect(places(query)).toEqual([place]);
  });

  test('places in a list are no city in a state', () => {
    expect(places('plants in Seattle, Oregon and Idaho')).toEqual(['seattle', 'oregon', 'idaho']);
    expect(places('plants in Vermont, Maine, Ohio or Utah')).toEqual(['vermont', 'maine', 'ohio', 'utah']);
  });

  test('an unknown name in a list of places is weaker evidence of them, and a search term', () => {
    expect(near('depots at Hill, Oklahoma City or Warner Robins')).toEqual(['hill', 'warner robins']);
    expect(words('depots at Hill, Oklahoma City or Warner Robins')).toEqual(['depots', 'Hill', 'Warner', 'Robins']);
    expect(near('jobs in Guelph, Elora or Toronto: who hires?')).toContain('elora');
    expect(near('Siemens plants in Ontario for Bombardier')).not.toContain('siemens');
  });

  test('around a city of a state, the state is weaker evidence', () => {
    expect(near('plants around Waseca, Minnesota')).toEqual(['minnesota']);
    expect(near('plants in Waseca, Minnesota')).toEqual([]);
  });

  test('a name of another form means no place', () => {
    expect(places('hiring analysts for billing')).toEqual([]);
    expect(places('spare parts for maritime patrol aircraft')).toEqual([]);
  });

  test('a name that several bear means the best known, without what another state says of it', () => {
    const [vancouver] = plan('plants in Vancouver').places;
    expect(vancouver?.except).toContain('vancouver wa washington');
    expect(names('plants in Springfield')).toEqual(
      expect.arrayContaining(['springfield illinois', 'springfield missouri']),
    );
  });

  test('a filter by country does not change which place is meant', () => {
    for (const query of ['warehouses in Ontario', 'plants in Cambridge'])
      for (const country of [Country.CA, Country.US]) expect(names(query, [country])).toEqual(names(query));
  });

  test('a name that is also a word counts only in the position of a place', () => {
    expect(places('companies in mobile gaming')).toEqual([]);
    expect(places('mobile phones')).toEqual([]);
    expect(names('plants in Mobile')).toContain('mobile alabama');
    expect(places('plants in Mobile, Alabama')).toEqual(['mobile al alabama']);
  });

  test.each(['near Detroit', 'in the Detroit area', 'in greater Detroit', 'metro Detroit'])(
    '"%s" asks for what lies around too',
    (query) => {
      expect(names(`plants ${query}`)).toEqual(['detroit']);
      expect(near(`plants ${query}`)).toContain('dearborn');
      expect(words(`plants ${query}`)).toEqual(['plants']);
    },
  );

  test('a radius around one city of a list applies to all of it', () => {
    expect(near('plants near Toronto and Chicago')).toEqual(expect.arrayContaining(['mississauga', 'naperville']));
    expect(near('plants in Toronto, near Chicago')).not.toContain('mississauga');
  });

  test('a city itself asks for nothing around', () => {
    expect(near('plants in Detroit')).toEqual([]);
  });
});

describe('regions', () => {
  test.each([
    ['elevators on the Prairies', ['alberta', 'manitoba', 'saskatchewan']],
    ['ports on the west coast', ['california', 'oregon', 'washington', 'british columbia']],
    ['startups in the Bay Area', ['san francisco', 'oakland', 'palo alto']],
    ['startups in the GTA', ['toronto', 'mississauga']],
    ['startups in the Research Triangle', ['raleigh', 'durham']],
    ['offices in the national capital region', ['ottawa', 'gatineau']],
    ['pêcheries des provinces maritimes', ['nova scotia', 'new brunswick']],
    ['offices in NYC', ['new york ny new york', 'brooklyn']],
    ['mills in Atlantic Canada', ['nova scotia', 'atlantic canada']],
    ['ports on the Gulf Coast', ['louisiana', 'gulf coast']],
    ['mills across the American South', ['alabama', 'texas']],
    ['mills in the Southwest', ['arizona']],
    ['startups on the Front Range', ['denver', 'fort collins']],
    ['vignobles des cantons de l’Est', ['sherbrooke']],
  ])('"%s" means %j', (query, expected) => {
    expect(names(query)).toEqual(expect.arrayContaining(expected));
  });
});

describe('places in the context of the surrounding words', () => {
  test.each([
    ['offices in the Washington area', ['district of columbia']],
    ['mills in Washington and Oregon', ['washington', 'oregon']],
    ['mills in southwestern Ontario', ['ontario']],
    ['Southwest airlines', []],
    ['leases in Quebec towns', ['quebec']],
    ['remote jobs anywhere in Ohio', ['ohio']],
  ])('"%s" names %j', (query, expected) => {
    expect(places(query)).toEqual(expected);
  });

  test('words that only introduce a place are not searched for', () => {
    expect(words('mills anywhere in Ohio')).toEqual(['mills']);
    expect(words('mills around Ohio')).toEqual(['mills']);
  });

  test('a country that a filter leaves out stays a place, so that the filter changes no score', () => {
    expect(plan('growers in Canada', [Country.US])).toEqual(plan('growers in Canada'));
  });

  test('a word for inhabitants is a place, and is searched for as well', () => {
    expect(places('Ohioan mills and Ontarienne mills')).toEqual(['ohio', 'ontario']);
    expect(words('Ohioan mills')).toEqual(['Ohioan', 'mills']);
  });
});

test('a query that lists places without end is searched for the first twenty', () => {
  const all = [...vocabulary.placeCodes.values()].join(', ');
  expect(places(`mills in ${all}`)).toHaveLength(20);
  expect(places(`mills in ${all}`)[0]).toBe('alabama');
});

test('an adjective that a filter says already is no word to be found either', () => {
  expect(words('Canadian growers')).toContain('Canadian');
  expect(plan('Canadian growers', [Country.CA]).activity.map(({ text }) => text)).toEqual(['growers']);
});
