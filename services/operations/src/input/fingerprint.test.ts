import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { CompanySearchInputSchema } from '@ces/proto/ces/operations/v1/operations_pb.ts';
import { printedSeed, VOLUME_TIMEOUT_MS, volumeOf } from '@ces/test/support/volume.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalJson, fingerprint, pageFingerprint } from './fingerprint.ts';
import { parseCompanySearch } from './parse.ts';

type SearchInit = MessageInitShape<typeof CompanySearchInputSchema>;

const search = (init: SearchInit) => parseCompanySearch(create(CompanySearchInputSchema, init));
const printOf = (init: SearchInit) => fingerprint({ action: 'company_search', form: search(init) }).toString('hex');

interface Meaning {
  readonly query: string;
  readonly countries: string[];
  readonly kinds: string[];
  readonly isDated: boolean;
  readonly companyIds: bigint[];
  readonly domains: string[];
  readonly limit: number;
}

const meanings: fc.Arbitrary<Meaning> = fc.record({
  query: fc.stringMatching(/^[A-Za-z]{1,12}( [a-z"-]{1,9}){0,4}$/),
  countries: fc.subarray(['CA', 'US']),
  kinds: fc.subarray(['company_profile', 'facility_expansion', 'procurement_request']),
  isDated: fc.boolean(),
  companyIds: fc.array(fc.bigInt({ min: 1n, max: 2n ** 53n - 1n }), { maxLength: 20 }),
  domains: fc.array(fc.stringMatching(/^[a-z]{1,9}\.(ca|com)$/), { maxLength: 20 }),
  limit: fc.integer({ min: 1, max: 50 }),
});

type Filters = Partial<Record<'countries' | 'kinds' | 'domains' | 'excludeDomains', string[]>> & {
  readonly occurredAfter?: string;
  readonly observedAfter?: string;
  readonly companyIds?: bigint[];
  readonly excludeCompanyIds?: bigint[];
};

function plainly({ query, limit, isDated, ...lists }: Meaning, more: Filters = {}): SearchInit {
  const filters = { ...lists, ...(isDated && { occurredAfter: '2026-05-01T00:00:00Z' }), ...more };
  return { query, limit, filters };
}

function otherwise(meaning: Meaning): SearchInit {
  const { countries, kinds, domains, companyIds } = meaning;
  const again = {
    countries: [...countries, ...countries].reverse(),
    kinds: kinds.toReversed(),
    ...(meaning.isDated && { occurredAfter: '2026-04-30t20:00:00.000-04:00' }),
    companyIds: [...companyIds.toReversed(), ...companyIds],
    domains: domains.toReversed().map((name) => ` ${name.toUpperCase()}. `),
  };
  return { ...plainly(meaning, again), query: `  ${meaning.query.replaceAll(' ', '\t \n')} ` };
}

test(
  'inputs that mean the same are one fingerprint',
  () => {
    fc.assert(
      fc.property(meanings, (meaning) => {
        expect(printOf(otherwise(meaning))).toBe(printOf(plainly(meaning)));
      }),
      { numRuns: volumeOf(150, 20_000, 500), seed: printedSeed() },
    );
  },
  VOLUME_TIMEOUT_MS,
);

const CHANGES: Readonly<Record<string, (meaning: Meaning) => SearchInit>> = {
  'a word more': (meaning) => ({ ...plainly(meaning), query: `${meaning.query} x` }),
  'another case': (meaning) => ({ ...plainly(meaning), query: meaning.query.replace(/^./, swapCase) }),
  'another limit': (meaning) => ({ ...plainly(meaning), limit: meaning.limit + 1 }),
  'a target': (meaning) => ({ ...plainly(meaning), target: 900 }),
  'a cursor': (meaning) => ({ ...plainly(meaning), cursor: 'abc' }),
  'another cutoff': (meaning) => plainly(meaning, { occurredAfter: '2026-05-01T00:00:00.5Z' }),
  'a collection cutoff': (meaning) => plainly(meaning, { observedAfter: '2026-05-01T00:00:00Z' }),
  'another hostname': (meaning) => plainly(meaning, { domains: [...meaning.domains, 'new.example'] }),
  'an excluded hostname': (meaning) => plainly(meaning, { excludeDomains: ['new.example'] }),
  'an excluded id': (meaning) => plainly(meaning, { excludeCompanyIds: [77n] }),
};

test.each(Object.entries(CHANGES))(
  '%s is another fingerprint',
  (_, change) => {
    fc.assert(
      fc.property(meanings, (meaning) => {
        expect(printOf(change(meaning))).not.toBe(printOf(plainly(meaning)));
      }),
      { numRuns: volumeOf(100, 2_000), seed: printedSeed() },
    );
  },
  VOLUME_TIMEOUT_MS,
);

function swapCase(letter: string): string {
  return letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase();
}

test('empty restrictions are not part of the input', () => {
  const bare = printOf({ query: 'pumps' });
  expect(printOf({ query: 'pumps', filters: {} })).toBe(bare);
  expect(printOf({ query: 'pumps', filters: { domains: [], kinds: [] } })).toBe(bare);
  expect(search({ query: ' pumps ', filters: {} })).toEqual({ query: 'pumps' });
});

test('composed and decomposed letters are the same query; letters of another case are not', () => {
  expect(printOf({ query: 'Café' })).toBe(printOf({ query: 'Cafe\u0301' }));
  expect(printOf({ query: 'café' })).not.toBe(printOf({ query: 'Café' }));
});

test('pages of one search share a fingerprint that no other search has', () => {
  const page = (cursor?: string, limit?: number) =>
    pageFingerprint({ action: 'company_search', form: search({ query: 'a', cursor, limit }) }).toString('hex');
  expect(page('abc')).toBe(page());
  expect(page('abc')).toBe(page('xyz'));
  expect(page('abc', 5)).not.toBe(page('abc'));
});

test('the action is part of a fingerprint', () => {
  const form = { query: 'a' };
  expect(fingerprint({ action: 'company_search', form })).not.toEqual(
    fingerprint({ action: 'observation_search', form }),
  );
});

test('JSON is written with sorted names and without spaces', () => {
  expect(canonicalJson({ b: [1, 'é"\n'], a: { d: 2 ** 53 - 1, c: 'x' } })).toBe(
    '{"a":{"c":"x","d":9007199254740991},"b":[1,"é\\"\\n"]}',
  );
});
