import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { type Failure, FailureCode, failureOf } from '@ces/chassis/rpc/failure';
import {
  CompanyLookupInputSchema,
  CompanySearchInputSchema,
  ObservationLookupInputSchema,
  ObservationSearchInputSchema,
} from '@ces/proto/ces/operations/v1/operations_pb.ts';
import { superlinear } from '@ces/test/support/growth.ts';
import { expect, test } from 'vitest';
import { parseRequestKey } from './fields.ts';
import { parseCompanyLookup, parseCompanySearch, parseObservationLookup, parseObservationSearch } from './parse.ts';

type SearchInit = MessageInitShape<typeof CompanySearchInputSchema>;

const search = (init: SearchInit) => parseCompanySearch(create(CompanySearchInputSchema, init));

function failureBy(work: () => unknown): Failure | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    return failureOf(error);
  }
}

const refusalOf = (work: () => unknown) => failureBy(work)?.code;

/** Every refusal of an input begins with the field. */
const refused = (work: () => unknown) =>
  expect(failureBy(work)).toMatchObject({
    code: FailureCode.INVALID_SEARCH,
    message: expect.stringMatching(/^`[a-z_.]+(\[\d+\])?`.*\.$/),
  });

test('a request key is trimmed and counted in code points', () => {
  expect(parseRequestKey(' \tkey 1 ')).toBe('key 1');
  expect(parseRequestKey('😀'.repeat(1024))).toHaveLength(2048);
  refused(() => parseRequestKey('😀'.repeat(1025)));
  refused(() => parseRequestKey('a\u0007b'));
  for (const blank of ['', ' \t '])
    expect(refusalOf(() => parseRequestKey(blank))).toBe(FailureCode.IDEMPOTENCY_KEY_REQUIRED);
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

test.each<[string, SearchInit]>([
  ['`limit` must be at most `target`: lower the one or raise the other.', { query: 'a', limit: 11, target: 10 }],
  ['`filters.countries[1]` must be one of CA, US.', { query: 'a', filters: { countries: ['CA', 'MX'] } }],
  [
    '`filters.exclude_company_ids[0]` must be a whole number from 1 to 9007199254740991.',
    { query: 'a', filters: { excludeCompanyIds: [0n] } },
  ],
  ['`filters.domains` has too many items: at most 100.', { query: 'a', filters: { domains: Array(101).fill('a.ca') } }],
])('the refusal says what is allowed: %s', (message, init) => {
  expect(failureBy(() => search(init))?.message).toBe(message);
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

test('a query may be longer as it is written than as it is kept', () => {
  const composed = '\u1f82';
  expect(search({ query: composed.normalize('NFD').repeat(4000) }).query).toBe(composed.repeat(4000));
  expect(search({ query: `a${' '.repeat(100_000)}b` }).query).toBe('a b');
  expect(refusalOf(() => search({ query: composed.normalize('NFD').repeat(4001) }))).toBe(FailureCode.INVALID_SEARCH);
});

test.each(['\u0301\u0316', '\u1f82', ' \u0301', 'e\u0301'])(
  'a query of %j is read in proportion to its length',
  { tags: 'nightly' },
  (pump) => {
    const read = (query: string) => refusalOf(() => search({ query }));
    expect(superlinear((size) => `a${pump.repeat(size)}`, read, { from: 1_024, to: 262_144 })).toBeUndefined();
  },
);
