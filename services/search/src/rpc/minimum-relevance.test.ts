import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { company, filters, observation } from '../../test-support/documents.ts';
import { type SearchStack, searchFor, startSearchStack } from '../../test-support/search-stack.ts';

/** Odds are at least e⁴ from a third of the highest score on, and lower below it. */
const calibration = {
  version: 3,
  trusted: true,
  fitted: { date: '2026-11-01', queries: 200, companies: 2000, expectedError: 0.03 },
  weights: { constant: 4 + 8 * Math.log(3), score: 8, highest: 0 },
};
const QUERY = 'battery plant';
/** Unrelated observations make the record large enough for meaningful probabilities. */
const OTHERS = 1000;

let stack: SearchStack;
beforeAll(async () => {
  stack = await startSearchStack({ calibration }, { CES_SEARCH_MINIMUM_RELEVANCE: '980' });
  const others = Array.from({ length: OTHERS }, (_, at) => BigInt(at + 100));
  const tx = stack.record.put({
    companies: [company(1n, 'Harbor Cells'), company(2n, 'Corner Works'), company(3n, 'Others')],
    observations: [
      observation(11n, 1n, 'opened a battery plant, a battery plant for batteries'),
      observation(21n, 2n, 'opened a store of great size in a long sentence that ends with a plant'),
      ...others.map((id) => observation(id, 3n, `bought shed ${id}`)),
    ],
  });
  await searchFor(stack, 'battery', { waitForTx: tx });
  await vi.waitFor(async () => expect((await searchBy({})).relevanceValidated).toBe(true), { timeout: 60_000 });
});
afterAll(() => stack[Symbol.asyncDispose]());

async function searchBy(change: { calibration?: number; minimumRelevance?: number }, query = QUERY) {
  const { plan } = await stack.search.plan({ query, filters: filters() });
  if (!plan) throw new Error('there is no plan');
  const request = { filters: filters(), candidateLimit: 100, maxCompanies: 100 };
  const { companies, relevanceValidated } = await stack.search.search({ ...request, plan: { ...plan, ...change } });
  return { ids: companies.map(({ companyId }) => companyId), relevanceValidated, companies };
}

test('a plan has the threshold in force and names the calibration', async () => {
  const { plan } = await stack.search.plan({ query: QUERY, filters: filters() });
  expect(plan).toMatchObject({ calibration: 3, minimumRelevance: 980 });
});

test('less probable companies are left out, and the answer is validated', async () => {
  const { ids, relevanceValidated, companies } = await searchBy({});
  expect([ids, relevanceValidated]).toEqual([[1n], true]);
  expect(companies[0]?.relevance).toBeGreaterThan(0.98);
});

test('a plan that was frozen with another threshold is searched by its own', async () => {
  expect(await searchBy({ minimumRelevance: 0 })).toMatchObject({ ids: [1n, 2n], relevanceValidated: false });
});

test.each([0, 1, 2, 4])(
  'a plan with calibration %i is searched with the calibration of this ranking',
  async (version) => {
    expect(await searchBy({ calibration: version })).toEqual(await searchBy({}));
  },
);

test('a search with only words of a kind is not filtered by the probability of words', async () => {
  const found = await searchBy({ minimumRelevance: 1000 }, 'facility expansions');
  expect(found.relevanceValidated).toBe(false);
  expect(found.ids.toSorted()).toEqual([1n, 2n, 3n]);
});

test('a plan with a threshold beyond certainty is refused', async () => {
  await expect(searchBy({ minimumRelevance: 1001 })).rejects.toThrow();
  await expect(searchBy({ minimumRelevance: -1 })).rejects.toThrow();
});

test('an operator sees how probable a company is', async () => {
  const { plan } = await stack.search.plan({ query: QUERY, filters: filters() });
  const request = { ...(plan && { plan }), filters: filters(), candidateLimit: 100, maxCompanies: 10 };
  const { companies } = await stack.admin.explainSearch(request);
  expect(companies.map(({ companyId, relevance }) => [companyId, relevance > 0.98])).toEqual([[1n, true]]);
});
