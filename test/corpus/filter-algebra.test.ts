import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { Country, Kind } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { activity, hostnameOf, type SampleSearch, startSampleSearch } from '../support/corpus/sample-search.ts';
import { someOf } from '../support/volume.ts';

// Filtered results are a subset of the unfiltered ones, on the generated sample and below every
// cap.
const QUERIES = [
  'supply',
  'hiring engineers in Canada',
  'warehouse expansion in Texas',
  'food',
  'steel or lumber in Ontario',
  'cities that want bids for pest control',
  'dental hygienists',
  'waste and recycling since last week',
];
/** With a minimum relevance the result must not depend on the other candidates either. */
const CASES: readonly (readonly [string, Record<string, string>, readonly string[]])[] = [
  ['with a least probability', { CES_SEARCH_MINIMUM_RELEVANCE: '200' }, QUERIES.slice(0, 4)],
  ['by default', {}, QUERIES],
];

type Filters = ReturnType<typeof activity>;
const ALL = { kinds: activity().kinds ?? [] };
const PROXIES = ALL.kinds.filter((kind) => kind !== Kind.PROCUREMENT_REQUEST);
const daysAgo = (days: number) => timestampFromDate(new Date(Date.now() - days * 86_400_000));
const LISTED = 40;

describe.each(someOf(CASES, 1))('%s', (_, environment, all) => {
  const queries = someOf(all, 1);

  let sample: SampleSearch;
  beforeAll(async () => {
    sample = await startSampleSearch(environment);
  });
  afterAll(() => sample[Symbol.asyncDispose]());

  async function find(query: string, filters: Filters): Promise<readonly bigint[]> {
    const { ranking } = await sample.find(query, filters);
    expect(ranking).toMatchObject({ candidateLimitReached: false, candidatesTruncated: false });
    return (ranking?.companies ?? []).map(({ companyId }) => companyId);
  }

  describe.each(queries)('%s', (query) => {
    const answers = new Map<string, Promise<readonly bigint[]>>();
    const ask = (filters: Filters) => {
      const key = JSON.stringify(filters, (_, value) => (typeof value === 'bigint' ? String(value) : value));
      const answer = answers.get(key) ?? find(query, { ...ALL, ...filters });
      answers.set(key, answer);
      return answer;
    };

    test('two countries find what each finds', async () => {
      const [canada, states] = [await ask({ countries: [Country.CA] }), await ask({ countries: [Country.US] })];
      expectSame(await ask({ countries: [Country.CA, Country.US] }), [...canada, ...states]);
      expectSame(await ask({}), [...canada, ...states]);
    });

    test('two demand classes find what each finds', async () => {
      const classes = [await ask({ kinds: [Kind.PROCUREMENT_REQUEST] }), await ask({ kinds: PROXIES })];
      expectSame(await ask({}), classes.flat());
    });

    test('several kinds find what each finds', async () => {
      const each = [];
      for (const kind of ALL.kinds) each.push(await ask({ kinds: [kind] }));
      expectSame(await ask({}), each.flat());
    });

    test('one more field finds a subset of the results of either field', async () => {
      for (const country of [Country.CA, Country.US])
        for (const kind of [Kind.FACILITY_EXPANSION, Kind.PROCUREMENT_REQUEST]) {
          const both = await ask({ countries: [country], kinds: [kind] });
          expectWithin(both, await ask({ countries: [country] }));
          expectWithin(both, await ask({ kinds: [kind] }));
        }
    });

    test('adding profiles to other kinds removes none of their results', async () => {
      const profiles = [Kind.COMPANY_PROFILE];
      expectWithin(await ask({}), await ask({ kinds: [...ALL.kinds, ...profiles] }));
    });

    test.each(['occurredAfter', 'observedAfter'])('a wider window finds no less: %s', async (field) => {
      const windows = [];
      for (const days of [3, 10, 30, 90, 365]) windows.push(await ask({ [field]: daysAgo(days) }));
      windows.push(await ask({}));
      for (const [at, wider] of windows.slice(1).entries()) expectWithin(windows[at] ?? [], wider);
    });

    test('a list of companies or hostnames finds what was found of them', async () => {
      const found = await ask({});
      const some = found.filter((_, at) => at % 2 === 0).slice(0, LISTED);
      expectSame(await ask({ companyIds: some.length > 0 ? some : [999_999n] }), some);
      const hostnames = some.map(hostnameOf);
      expectWithin(await ask({ domains: hostnames.length > 0 ? hostnames : ['nobody.example'] }), found);
    });

    test('an exclusion leaves all others', async () => {
      const found = await ask({});
      const some = found.filter((_, at) => at % 2 === 0).slice(0, LISTED);
      const others = found.filter((id) => !some.includes(id));
      expectSame(await ask({ excludeCompanyIds: some }), others);
      expectWithin(await ask({ excludeDomains: some.map(hostnameOf) }), others);
    });
  });
});

function expectWithin(narrow: readonly bigint[], wide: readonly bigint[]): void {
  const known = new Set(wide);
  expect(narrow.filter((id) => !known.has(id))).toEqual([]);
}

function expectSame(found: readonly bigint[], expected: readonly bigint[]): void {
  expectWithin(found, expected);
  expectWithin(expected, found);
}
