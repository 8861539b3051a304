import { expect, test } from 'vitest';
import { CompanySearchBody } from '../schema/company-search.ts';
import { compileShapeCheck } from './shape.ts';

test('a refusal says in words what is wrong, and where', () => {
  const check = compileShapeCheck(CompanySearchBody);
  for (const [body, sentence] of [
    [[], 'The body must be an object.'],
    [{}, '`query` is required.'],
    [{ query: '' }, '`query` is too short: at least 1 character.'],
    [{ query: 7 }, '`query` must be a string.'],
    [{ query: 'x', background: 'true' }, '`background` must be true or false.'],
    [{ query: 'x', limit: 0, target: 1001 }, '`limit` must be at least 1; `target` must be at most 1000.'],
    [{ query: 'x', filters: { company_ids: [1, 'a'] } }, '`filters.company_ids[1]` must be a whole number.'],
    [
      { query: 'x', filters: { domains: Array(101).fill('a.ca') } },
      '`filters.domains` has too many items: at most 100.',
    ],
    [{ query: 'x', filters: { countries: ['MX'] } }, '`filters.countries[0]` must be one of CA, US.'],
    [{ query: 'x', filters: { city: [] } }, '`filters.city` is not a known field.'],
  ] as const)
    expect(() => check(body)).toThrow(sentence);
});
