import { expect, test } from 'vitest';
import { readBeside, titled } from '../../../test-support/read-source.ts';
import type { SearchPlan } from '../../connector/source.ts';
import { samApi } from './source.ts';

const KEY = 'k'.repeat(40);
const PLAN: SearchPlan = {
  query: 'who asks for lock gates',
  terms: ['lock', 'gates'],
  phrases: [],
  kinds: [],
  countries: [],
  occurredAfter: undefined,
};
const context = { now: new Date('2026-11-21T12:00:00Z'), settings: new Map([['api_key', KEY]]), watermark: undefined };
const ask = (plan: Partial<SearchPlan>) => samApi.query?.({ ...PLAN, ...plan }, context) ?? [];

test('a search is one call for notices whose title holds its most discriminating words', () => {
  const [request, ...more] = ask({});
  expect(more).toEqual([]);
  const url = new URL(request?.url ?? '');
  expect(url.origin + url.pathname).toBe('https://api.sam.gov/opportunities/v2/search');
  expect(Object.fromEntries(url.searchParams)).toMatchObject({
    title: 'lock gates',
    postedFrom: '10/22/2026',
    postedTo: '11/21/2026',
    limit: '100',
    offset: '0',
  });
  expect(url.searchParams.getAll('ptype')).toEqual(['o', 'k', 'p', 'r']);
});

test('the key is named as a secret parameter and is nowhere but in the request', () => {
  const [request] = ask({});
  expect(request?.secretParameters).toEqual(['api_key']);
  expect(JSON.stringify({ ...request, url: '' })).not.toContain(KEY);
  expect(samApi.settings?.find(({ name }) => name === 'api_key')).toMatchObject({ secret: true, required: true });
});

test('a phrase goes before words, and the range is never over a year', () => {
  const [request] = ask({ phrases: ['lock gate'], occurredAfter: new Date('2020-01-01T00:00:00Z') });
  const { searchParams } = new URL(request?.url ?? '');
  expect(searchParams.get('title')).toBe('lock gate');
  expect(searchParams.get('postedFrom')).toBe('11/22/2025');
});

test.each([
  ['for other kinds', { kinds: ['facility_expansion'] }],
  ['for Canada alone', { countries: ['CA'] }],
  ['without a word to ask for', { terms: [] }],
] as const)('nothing is asked %s', (_, plan) => {
  expect(ask(plan)).toEqual([]);
});

test('nothing is asked without a key', () => {
  expect(samApi.query?.(PLAN, { ...context, settings: new Map() })).toEqual([]);
});

const answer = await readBeside(import.meta.url, 'documents/opportunities.json', samApi);

test('an opportunity is a request of the sub-tier agency with the sector of its NAICS code', () => {
  expect(titled(answer, 'Rebuilding of lock gate 7')).toMatchObject({
    company: { name: 'INLAND LOCKS SERVICE', country: 'US' },
    occurredAt: new Date('2026-10-07T00:00:00Z'),
    expiresAt: new Date('2026-11-30T20:00:00Z'),
    eventIdentifiers: [{ scheme: 'solicitation', value: 'W9AB01-27-R-0001' }],
    categories: ['23'],
  });
  expect(answer.closings).toMatchObject([{ eventIdentifiers: [{ value: 'W9AB01-26-R-0006' }], reason: 'awarded' }]);
});

test('a dot after a single letter belongs to the name of an agency', () => {
  expect(titled(answer, 'Radio sets for locks').company.name).toBe('U.S. LOCKS AGENCY');
});

test('an opportunity without agency or number is refused by the field', () => {
  expect(answer.refused).toEqual(['fullParentPathName is missing', 'noticeId is missing']);
});

test('contact persons and addresses that want a key are not in the raw records', () => {
  for (const raw of answer.raws) expect(raw.content).not.toMatch(/pointOfContact|weir|noticedesc|"links"/i);
});

test('an answer that breaks off is an error, not an end', async () => {
  const broken = readBeside(import.meta.url, 'sam-api.test.ts', samApi);
  await expect(broken).rejects.toThrow();
});
