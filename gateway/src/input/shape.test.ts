import { expect, test } from 'vitest';
import { InvalidInput } from '../errors/public-error.ts';
import { CompanySearchBody } from '../schema/company-search.ts';
import { compileShapeCheck } from './shape.ts';

const check = compileShapeCheck(CompanySearchBody);

test.each([
  [[], 'The body must be an object.'],
  [{}, '`query` is required.'],
  [{ query: '' }, '`query` is too short: at least 1 character.'],
  [{ query: 7 }, '`query` must be a string.'],
  [{ query: 'x', background: 'true' }, '`background` must be true or false.'],
  [{ query: 'x', limit: '3' }, '`limit` must be a whole number from 1 to 1000.'],
  [{ query: 'x', limit: 0, target: 1001 }, '`limit` must be from 1 to 1000. `target` must be from 1 to 1000.'],
  [{ query: 'x', filters: { company_ids: [1, 'a'] } }, '`filters.company_ids[1]` must be a whole number at least 1.'],
  [{ query: 'x', filters: { domains: Array(101).fill('a.ca') } }, '`filters.domains` has too many items: at most 100.'],
  [{ query: 'x', filters: { countries: ['MX'] } }, '`filters.countries[0]` must be one of CA, US.'],
  [
    { query: 'x', filters: { demand_classes: ['explicit'] } },
    '`filters.demand_classes[0]` must be one of explicit_request, proxy, structural.',
  ],
  [
    { query: 'x', filters: { demand_classes: ['proxies'] } },
    '`filters.demand_classes[0]` must be one of explicit_request, proxy, structural. Did you mean proxy?',
  ],
])('%j is refused by its path and what is allowed there', (body, sentences) => {
  expect(refusalOf(body)).toBe(sentences);
});

test.each([
  [{ limits: 3 }, '`limits` is not a known field: did you mean `limit`?'],
  [{ Query: 'y' }, '`Query` is not a known field: did you mean `query`?'],
  [{ filters: { country: ['CA'] } }, '`filters.country` is not a known field: did you mean `filters.countries`?'],
  [
    { filters: { occurredAfter: '' } },
    '`filters.occurredAfter` is not a known field: did you mean `filters.occurred_after`?',
  ],
  [{ kind: [] }, '`kind` is not a known field: did you mean `filters.kinds`?'],
  [{ filters: { limit: 3 } }, '`filters.limit` is not a known field: did you mean `limit`?'],
  [{ page: 2 }, '`page` is not a known field. The body takes query, filters, limit, target, background, cursor.'],
  [
    { filters: { city: [] } },
    '`filters.city` is not a known field. `filters` takes countries, kinds, demand_classes, occurred_after, observed_after, company_ids, domains, exclude_company_ids, exclude_domains.',
  ],
])('the unknown field in %j is named with the nearest known one, or with all', (fields, sentence) => {
  expect(refusalOf({ query: 'x', ...fields })).toBe(sentence);
});

test('the fifth mistake is the last that is named, and a long name is cut', () => {
  const many = Object.fromEntries(Array.from({ length: 8 }, (_, at) => [`unknown_field_${at}`, 1]));
  expect(refusalOf({ query: 'x', ...many })).toMatch(/`unknown_field_4`[^`]+There are 3 more mistakes\.$/);
  expect(refusalOf({ query: 'x', ['n'.repeat(100_000)]: 1 }).length).toBeLessThan(300);
});

function refusalOf(body: unknown): string {
  try {
    check(body);
  } catch (error) {
    if (error instanceof InvalidInput) return error.message;
    throw error;
  }
  throw new Error('it was accepted');
}
