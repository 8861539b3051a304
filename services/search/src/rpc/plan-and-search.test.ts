import { afterAll, beforeAll, expect, test } from 'vitest';
import { company, filters, observation } from '../../test-support/documents.ts';
import { type SearchStack, searchFor, startSearchStack } from '../../test-support/search-stack.ts';

const LIMITS = { candidateLimit: 100, maxCompanies: 10 };

let stack: SearchStack;
beforeAll(async () => {
  stack = await startSearchStack();
  const tx = stack.record.put({
    companies: [company(1n, 'One', { profile: 'makes batteries' }), company(2n, 'Two'), company(3n, 'Three')],
    observations: [
      observation(11n, 1n, 'opened a battery plant in Austin, Texas'),
      observation(12n, 1n, 'opened a second battery plant'),
      observation(21n, 2n, 'raised a Series A of $12 million'),
      observation(31n, 3n, 'hires forty welders'),
    ],
  });
  await searchFor(stack, 'battery', { waitForTx: tx });
});
afterAll(() => stack[Symbol.asyncDispose]());

test.each([
  'battery plants in Texas since 2023, not internships',
  'companies that raised more than two million dollars "Series A" -welders',
  'hiring in west virginia',
  'no such thing',
])('one call plans and ranks %s as two do', async (query) => {
  const { plan } = await stack.search.plan({ query, filters: filters() });
  const ranking = await stack.search.search({ ...(plan && { plan }), filters: filters(), ...LIMITS });
  expect(await stack.search.planAndSearch({ query, filters: filters(), ...LIMITS })).toEqual(
    expect.objectContaining({ plan, ranking }),
  );
});

test.each([
  ['battery plants in Texas', [1], []],
  ['battery plants in Ontario', [], ['place_not_met']],
  ['battery plants in Texas before 2020', [], ['time_not_met']],
  ['Series A of more than $50 million', [], ['fact_not_met']],
])('"%s" finds %j and says that it misses %j', async (query, ids, notMet) => {
  const { ranking } = await stack.search.planAndSearch({ query, filters: filters(), ...LIMITS });
  expect(ranking?.companies.map(({ companyId }) => Number(companyId))).toEqual(ids);
  expect(ranking?.notMet).toEqual(notMet);
});

test('of an empty plan nothing is ranked', async () => {
  const { plan, ranking } = await stack.search.planAndSearch({ query: 'the of', filters: filters(), ...LIMITS });
  expect(plan?.empty).toBe(true);
  expect(ranking).toBeUndefined();
});

test('a request out of bounds is refused with the message of the call that it replaces', async () => {
  const ask = (init: object) =>
    stack.search.planAndSearch({ query: 'battery', filters: filters(), ...LIMITS, ...init });
  await expect(ask({ query: '' })).rejects.toThrow('A query must have 1 to 4000 characters.');
  await expect(ask({ filters: { kinds: [] } })).rejects.toThrow('at least one kind');
  await expect(ask({ candidateLimit: 99 })).rejects.toThrow('candidate_limit must be from 100 to 2000');
  await expect(ask({ maxCompanies: 0 })).rejects.toThrow('max_companies must be from 1 to 1000');
});
