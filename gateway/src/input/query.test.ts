import { expect, test } from 'vitest';
import { InvalidInput } from '../errors/public-error.ts';
import { readCompanyLookupQuery } from './company-lookup.ts';
import { readObservationLookupQuery } from './observation-lookup.ts';
import { parseId } from './path-id.ts';

test('ids and domains are read as sent, in order, duplicates included', () => {
  expect(readCompanyLookupQuery('/api/companies?ids[]=2&ids%5B%5D=1&ids[]=2')).toEqual({
    ids: [2n, 1n, 2n],
    domains: [],
  });
  expect(readCompanyLookupQuery('/x?domains[]=B.ca.&domains%5b%5d=caf%C3%A9.example')).toEqual({
    ids: [],
    domains: ['B.ca.', 'café.example'],
  });
});

test.each([
  ['no input', ''],
  ['both kinds', 'ids[]=1&domains[]=a.ca'],
  ['more than 20, counted as sent', Array(21).fill('ids[]=1').join('&')],
  ['an unknown parameter', 'ids[]=1&page=2'],
  ['a name without brackets', 'ids=1'],
  ['bad percent-encoding', 'domains[]=%ff'],
  ['NUL', 'domains[]=a%00'],
  ['an id of zero', 'ids[]=0'],
])('%s is refused', (_name, query) => {
  expect(() => readCompanyLookupQuery(`/api/companies?${query}`)).toThrow(InvalidInput);
});

test.each([
  ['domain[]=a.ca', '`domain[]` is not a query parameter of this call: did you mean `domains[]`?'],
  ['ids[]=1&page=2', '`page` is not a query parameter of this call. It takes ids[], domains[].'],
  ['', '`ids[]` or `domains[]` is required.'],
  ['ids[]=1&domains[]=a.ca', '`ids[]` and `domains[]` exclude each other: send one of them.'],
  [Array(21).fill('domains[]=a.ca').join('&'), '`domains[]` has too many items: at most 20.'],
  ['ids[]=0', '`ids[]` must be a whole number of at least 1, in plain decimal digits.'],
])('the refusal of %s begins with the parameter', (query, sentence) => {
  expect(() => readCompanyLookupQuery(`/api/companies?${query}`)).toThrow(new InvalidInput(sentence));
});

test.each(['', '0', '01', '+1', '-1', '1.0', '1e3', '0x10', ' 1', '1 ', '١'])('%j is no id', (text) => {
  expect(() => parseId(text)).toThrow(InvalidInput);
});

test('an id too large for any row is an id that no row has', () => {
  expect(parseId('9007199254740991')).toBe(9007199254740991n);
  expect(parseId('9007199254740992')).toBe(9007199254740991n);
  expect(parseId('9'.repeat(5000))).toBe(9007199254740991n);
  expect(parseId('9007199254740990')).toBe(9007199254740990n);
});

test('the query of an observation look-up is the body of its POST', () => {
  expect(readObservationLookupQuery('/x?domains[]=a.ca&since=2026-01-01T00:00:00%2B01:00&limit=5&cursor=c')).toEqual({
    domains: ['a.ca'],
    since: '2026-01-01T00:00:00+01:00',
    limit: 5,
    cursor: 'c',
  });
});

test.each(['domains[]=a.ca', 'since=x', 'domains[]=a.ca&since=x&since=y', 'domains[]=a.ca&since=x&limit=0'])(
  'the observation look-up %s is refused',
  (query) => {
    expect(() => readObservationLookupQuery(`/x?${query}`)).toThrow(InvalidInput);
  },
);

test.each(['101', '05', '5.0', '', '1e1'])('the limit %j of an observation look-up is refused', (limit) => {
  expect(() => readObservationLookupQuery(`/x?domains[]=a.ca&since=x&limit=${limit}`)).toThrow(InvalidInput);
});
