import { afterAll, beforeAll, expect, test } from 'vitest';
import { company, observation } from '../test-support/documents.ts';
import { type SearchStack, searchFor, startSearchStack } from '../test-support/search-stack.ts';

let stack: SearchStack;
beforeAll(async () => {
  stack = await startSearchStack();
});
afterAll(() => stack[Symbol.asyncDispose]());

test('a recorded observation is found as soon as the index has passed its transaction', async () => {
  const tx = stack.record.put({
    companies: [company(1n, 'Northwind Cells'), company(2n, 'Prairie Foods')],
    observations: [
      observation(11n, 1n, 'Northwind Cells opened a battery plant in Reno, NV'),
      observation(21n, 2n, 'Prairie Foods enlarged its flour mill'),
    ],
  });
  const answer = await searchFor(stack, 'battery plants', { waitForTx: tx });
  expect(answer.companies.map((found) => [found.companyId, found.observationIds])).toEqual([[1n, [11n]]]);
  expect(answer.position?.tx).toBe(tx);
  expect(answer.candidateCompanies).toBe(1);
});

test('a caller that may not search is refused', async () => {
  await expect(stack.clientAs('gateway').plan({ query: 'anything' })).rejects.toThrow('may not call');
});

test('the status contains how far the index is and what it holds', async () => {
  const tx = stack.record.put({ observations: [observation(31n, 3n, 'Something else happened')] });
  await searchFor(stack, 'something', { waitForTx: tx });
  const status = await stack.admin.getIndexStatus({});
  expect(status).toMatchObject({ observations: 3n, companies: 2n, lag: 0n, rebuilding: false });
  expect(status.position).toEqual(status.newest);
  expect(status.sizeBytes).toBeGreaterThan(0n);
});
