import { Kind } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import { type ExplainedHit, Field, Likeness } from '@ces/proto/ces/search/v1/explanation_pb.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { company, filters, instant, observation } from '../../test-support/documents.ts';
import { type SearchStack, searchFor, startSearchStack } from '../../test-support/search-stack.ts';

let stack: SearchStack;
beforeAll(async () => {
  stack = await startSearchStack();
  const tx = stack.record.put({
    companies: [
      company(1n, 'Harbor Cells', { profile: 'Makes automotive batteries.' }),
      company(2n, 'Corner Works', { profile: 'Builds semiconductor tools.' }),
    ],
    observations: [
      observation(11n, 1n, 'opened a battery plant in Reno, NV', {
        excerpts: ['The plant builds batteries for vehicles.'],
      }),
      observation(12n, 1n, 'enlarged its battery store', { kind: Kind.PROCUREMENT_REQUEST }),
      observation(21n, 2n, 'an old semiconductor plant', { occurredAt: instant('2015-01-01T00:00:00Z') }),
    ],
  });
  await searchFor(stack, 'battery', { waitForTx: tx });
});
afterAll(() => stack[Symbol.asyncDispose]());

async function explain(query: string) {
  const { plan } = await stack.search.plan({ query, filters: filters() });
  const request = { ...(plan && { plan }), filters: filters(), candidateLimit: 100 };
  const { companies } = await stack.admin.explainSearch({ ...request, maxCompanies: 100 });
  return companies;
}

function sumOfParts(hit: ExplainedHit): number {
  const gained = hit.gains.reduce((sum, gain) => sum + gain.value, 0) + hit.place + hit.kind;
  const factors = hit.kindFactor * hit.placeFactor * hit.timeFactor * hit.avoidedFactor * hit.answerFactor;
  return Math.min(1, (gained * factors) / hit.highest);
}

test.each([
  'car makers opening a battery plant in Nevada since 2024',
  'battery plants in Texas',
  'tenders for batteries',
  'chips',
  '"battery plant" works',
  'hiring',
])('the parts of "%s" add up to the score that a search gives', async (query) => {
  const explained = await explain(query);
  const { companies } = await searchFor(stack, query);
  expect(explained.map(({ companyId, score }) => [companyId, score])).toEqual(
    companies.map(({ companyId, score }) => [companyId, score]),
  );
  for (const { hits, score } of explained) {
    expect(hits[0]?.score).toBe(score);
    for (const hit of hits) expect(sumOfParts(hit)).toBeCloseTo(hit.score, 9);
  }
});

test('every word has its position and its kind of match', async () => {
  const [first] = await explain('battery cars Nevada');
  expect(first).toMatchObject({ companyId: 1n, name: 'Harbor Cells' });
  const occurrences = (term: string, ofCompany: boolean) =>
    first?.hits[0]?.gains
      .filter((gain) => gain.term === term && gain.ofCompany === ofCompany)
      .flatMap((g) => g.occurrences);
  expect(occurrences('battery', false)).toMatchObject([
    { field: Field.FACT, likeness: Likeness.WORD, text: 'battery' },
    { field: Field.EXCERPT, likeness: Likeness.STEM, text: 'batteries' },
  ]);
  expect(occurrences('battery', true)).toMatchObject([
    { field: Field.PROFILE, likeness: Likeness.STEM, text: 'batteries' },
  ]);
  expect(occurrences('cars', false)).toMatchObject([
    { field: Field.EXCERPT, likeness: Likeness.SYNONYM, text: 'vehicles' },
  ]);
});

test('a known phrase and a quoted one are distinguished from words', async () => {
  const [first] = await explain('"harbor cells" battery plant');
  const gains = first?.hits[0]?.gains ?? [];
  expect(gains.find((gain) => gain.term === '"harbor cells"')).toMatchObject({
    value: 0,
    occurrences: [{ field: Field.NAME, likeness: Likeness.QUOTED }],
  });
});

test('only an administrator may ask', async () => {
  await expect(stack.adminAs('operations').explainSearch({})).rejects.toThrow();
  await expect(stack.admin.explainSearch({ candidateLimit: 100 })).rejects.toThrow('A plan is needed');
});
