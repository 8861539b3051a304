import type { MessageInitShape } from '@bufbuild/protobuf';
import { create } from '@bufbuild/protobuf';
import { FailureCode, failureOf } from '@ces/chassis/failure';
import {
  CompanyLookupInputSchema,
  CompanySearchInputSchema,
  ObservationLookupInputSchema,
  ObservationSearchInputSchema,
} from '@ces/proto/ces/operations/v1/operations_pb.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalJson, fingerprint, pageFingerprint } from './fingerprint.ts';
import { instantToTimestamp, toInstant } from './instant.ts';
import { parseCompanyLookup, parseCompanySearch, parseObservationLookup, parseObservationSearch } from './parse.ts';
import { parseRequestKey } from './request-key.ts';

type SearchInit = MessageInitShape<typeof CompanySearchInputSchema>;

const search = (init: SearchInit) => parseCompanySearch(create(CompanySearchInputSchema, init));
const printOf = (init: SearchInit) => fingerprint({ action: 'company_search', form: search(init) }).toString('hex');

function refusalOf(work: () => unknown): { code: FailureCode | undefined; message: string | undefined } {
  try {
    work();
    return { code: undefined, message: undefined };
  } catch (error) {
    return { code: failureOf(error)?.code, message: failureOf(error)?.message };
  }
}

const refused = (work: () => unknown) => expect(refusalOf(work).code).toBe(FailureCode.INVALID_SEARCH);

const ids = fc.array(fc.bigInt({ min: 1n, max: 2n ** 53n - 1n }), { maxLength: 20 });
const hostnames = fc.array(fc.stringMatching(/^[a-z]{1,9}\.(ca|com)$/), { maxLength: 20 });
const inputs = fc.record({
  query: fc.stringMatching(/^[A-Za-z"-]{1,12}( [a-z]{1,9}){0,4}$/),
  filters: fc.record({
    countries: fc.subarray(['CA', 'US']),
    kinds: fc.subarray(['company_profile', 'facility_expansion', 'procurement_request']),
    demandClasses: fc.subarray(['explicit_request', 'proxy', 'structural']),
    occurredAfter: fc.option(fc.constant('2026-05-01T00:00:00Z'), { nil: undefined }),
    companyIds: ids,
    domains: hostnames,
    excludeDomains: hostnames,
  }),
  limit: fc.option(fc.integer({ min: 1, max: 50 }), { nil: undefined }),
});

/** The same meaning in other words: order, repetition, case, white space, offset. */
function restated(input: typeof inputs extends fc.Arbitrary<infer T> ? T : never): SearchInit {
  const { filters } = input;
  return {
    query: `  ${input.query.replaceAll(' ', '\t \n')} `,
    filters: {
      countries: [...filters.countries, ...filters.countries].reverse(),
      kinds: filters.kinds.toReversed(),
      demandClasses: filters.demandClasses.toReversed(),
      ...(filters.occurredAfter && { occurredAfter: '2026-04-30T20:00:00.000-04:00' }),
      companyIds: [...filters.companyIds.toReversed(), ...filters.companyIds],
      domains: filters.domains.toReversed().map((name) => ` ${name.toUpperCase()}. `),
      excludeDomains: [...filters.excludeDomains, ...filters.excludeDomains],
    },
    ...(input.limit !== undefined && { limit: input.limit }),
  };
}

const plain = (input: ReturnType<typeof restated>) => input;

test('inputs that mean the same are one fingerprint', () => {
  fc.assert(
    fc.property(inputs, (input) => {
      expect(printOf(restated(input))).toBe(printOf(plain(input as SearchInit)));
    }),
    { numRuns: 500 },
  );
});

test('a change of any one field is another fingerprint', () => {
  const changes: ((input: SearchInit) => SearchInit)[] = [
    (input) => ({ ...input, query: `${input.query} x` }),
    (input) => ({ ...input, query: `${input.query}`.replace(/[a-zA-Z]/, (letter) => swapCase(letter)) }),
    (input) => ({ ...input, limit: (input.limit ?? 0) + 1 }),
    (input) => ({ ...input, target: 900 }),
    (input) => ({ ...input, cursor: 'abc' }),
    (input) => ({ ...input, filters: { ...input.filters, observedAfter: '2026-01-01T00:00:00.5Z' } as never }),
    (input) => ({ ...input, filters: { ...input.filters, domains: ['new.example'] } as never }),
    (input) => ({ ...input, filters: { ...input.filters, excludeCompanyIds: [77n] } as never }),
  ];
  fc.assert(
    fc.property(inputs, fc.constantFrom(...changes), (input, change) => {
      const before = input as SearchInit;
      fc.pre(/[a-zA-Z]/.test(input.query));
      expect(printOf(change(before))).not.toBe(printOf(before));
    }),
    { numRuns: 500 },
  );
});

function swapCase(letter: string): string {
  return letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase();
}

test('what restricts nothing is not part of the input', () => {
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

test.each([
  ['2026-02-28T12:00:00Z', '2026-02-28T12:00:00Z'],
  ['2024-02-29t23:59:59.1200z', '2024-02-29T23:59:59.12Z'],
  ['2026-01-01T00:30:00+01:00', '2025-12-31T23:30:00Z'],
  ['2026-01-01T00:30:00.123456789-11:30', '2026-01-01T12:00:00.123456Z'],
  ['2016-12-31T23:59:60Z', '2017-01-01T00:00:00Z'],
  ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00Z'],
  ['2026-01-01T00:00:00-00:00', '2026-01-01T00:00:00Z'],
])('the timestamp %s is the instant %s', (text, instant) => {
  expect(toInstant(text)).toBe(instant);
});

test.each([
  '2026-02-30T00:00:00Z',
  '2025-02-29T00:00:00Z',
  '2026-13-01T00:00:00Z',
  '2026-00-10T00:00:00Z',
  '2026-01-00T00:00:00Z',
  '2026-01-01T24:00:00Z',
  '2026-01-01T00:60:00Z',
  '2026-01-01T12:00:60Z',
  '2026-01-01T00:00:00',
  '2026-01-01',
  '2026-01-01 00:00:00Z',
  '2026-01-01T00:00Z',
  '2026-01-01T00:00:00+24:00',
  '2026-01-01T00:00:00+0100',
  '2026-01-01T00:00:00.Z',
  ' 2026-01-01T00:00:00Z',
  '0001-01-01T00:00:00+01:00',
  '10000-01-01T00:00:00Z',
  '1767225600',
  '',
])('%j is no timestamp', (text) => {
  expect(toInstant(text)).toBeUndefined();
});

test('every instant goes over the wire as it is', () => {
  expect(instantToTimestamp('2026-01-01T00:00:00.12Z')).toMatchObject({ seconds: 1767225600n, nanos: 120_000_000 });
  expect(instantToTimestamp('0001-01-01T00:00:00Z').seconds).toBe(-62135596800n);
  fc.assert(
    fc.property(fc.date({ min: new Date('0002-01-01'), max: new Date('9999-01-01'), noInvalidDate: true }), (date) => {
      const instant = toInstant(date.toISOString()) ?? '';
      const { seconds, nanos } = instantToTimestamp(instant);
      expect(Number(seconds) * 1000 + nanos / 1_000_000).toBe(date.getTime());
    }),
  );
});

test('a key is trimmed and counted in code points', () => {
  expect(parseRequestKey(' \tkey 1 ')).toBe('key 1');
  expect(parseRequestKey('😀'.repeat(1024))).toHaveLength(2048);
  refused(() => parseRequestKey('😀'.repeat(1025)));
  refused(() => parseRequestKey('a\u0007b'));
  for (const blank of ['', ' \t '])
    expect(refusalOf(() => parseRequestKey(blank)).code).toBe(FailureCode.IDEMPOTENCY_KEY_REQUIRED);
});

test.each<[string, SearchInit]>([
  ['a blank query', { query: ' \n ' }],
  ['a query of 4001 code points', { query: '😀'.repeat(4001) }],
  ['a NUL in the query', { query: 'a\0b' }],
  ['a limit of 0', { query: 'a', limit: 0 }],
  ['a limit above the target', { query: 'a', limit: 11, target: 10 }],
  ['a target of 1001', { query: 'a', target: 1001 }],
  ['another country', { query: 'a', filters: { countries: ['MX'] } }],
  ['a kind that is not searched', { query: 'a', filters: { kinds: ['job_posting'] } }],
  ['another demand class', { query: 'a', filters: { demandClasses: ['strong'] } }],
  ['a day that does not exist', { query: 'a', filters: { occurredAfter: '2026-02-30T00:00:00Z' } }],
  ['an address as a hostname', { query: 'a', filters: { domains: ['https://a.ca'] } }],
  ['an empty hostname', { query: 'a', filters: { excludeDomains: [''] } }],
  ['101 hostnames, equal ones too', { query: 'a', filters: { domains: Array(101).fill('a.ca') } }],
  ['101 ids, equal ones too', { query: 'a', filters: { companyIds: Array(101).fill(1n) } }],
  ['an id of 0', { query: 'a', filters: { excludeCompanyIds: [0n] } }],
  ['an id that no JSON number holds', { query: 'a', filters: { companyIds: [2n ** 53n] } }],
])('a company search with %s is refused', (_, init) => {
  refused(() => search(init));
});

test('the bounds themselves are accepted', () => {
  expect(search({ query: '😀'.repeat(4000), limit: 10, target: 10 })).toMatchObject({ limit: 10, target: 10 });
  expect(search({ query: 'a', limit: 1_000_000 })).toMatchObject({ limit: 1_000_000 });
});

test('an observation search takes all nine kinds and no lists', () => {
  const parse = (init: MessageInitShape<typeof ObservationSearchInputSchema>) =>
    parseObservationSearch(create(ObservationSearchInputSchema, init));
  expect(parse({ query: 'a', filters: { kinds: ['job_posting'] } })).toEqual({
    query: 'a',
    filters: { kinds: ['job_posting'] },
  });
  refused(() => parse({ query: 'a', filters: { companyIds: [1n] } }));
  refused(() => parse({ query: 'a'.repeat(501) }));
});

test('a look-up takes ids or domains, at most 20 as sent, and means the same in any order', () => {
  const parse = (init: MessageInitShape<typeof CompanyLookupInputSchema>) =>
    parseCompanyLookup(create(CompanyLookupInputSchema, init));
  expect(parse({ ids: [10n, 9n, 10n] })).toEqual({ accepted: { ids: ['10', '9'] }, form: { ids: ['9', '10'] } });
  expect(parse({ domains: ['B.com', 'a.ca.', 'b.com'] })).toEqual({
    accepted: { domains: ['b.com', 'a.ca'] },
    form: { domains: ['a.ca', 'b.com'] },
  });
  expect(parse({ ids: [2n ** 63n - 1n] }).form).toEqual({ ids: ['9223372036854775807'] });
  refused(() => parse({}));
  refused(() => parse({ ids: [1n], domains: ['a.ca'] }));
  refused(() => parse({ ids: Array(21).fill(1n) }));
  refused(() => parse({ ids: [0n] }));
  refused(() => parse({ domains: ['a@b.ca'] }));
});

test('an observation look-up needs domains and an instant', () => {
  const parse = (init: MessageInitShape<typeof ObservationLookupInputSchema>) =>
    parseObservationLookup(create(ObservationLookupInputSchema, init));
  expect(parse({ domains: ['b.ca', 'A.ca', 'b.ca'], since: '2026-01-01T00:00:00+00:00', limit: 100 })).toEqual({
    domains: ['b.ca', 'a.ca'],
    form: { domains: ['a.ca', 'b.ca'], since: '2026-01-01T00:00:00Z', limit: 100 },
  });
  refused(() => parse({ domains: ['a.ca'], since: '' }));
  refused(() => parse({ domains: [], since: '2026-01-01T00:00:00Z' }));
  refused(() => parse({ domains: ['a.ca'], since: '2026-01-01T00:00:00Z', limit: 101 }));
  refused(() => parse({ domains: Array(101).fill('a.ca'), since: '2026-01-01T00:00:00Z' }));
});
