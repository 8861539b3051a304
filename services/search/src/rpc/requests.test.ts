import { Kind } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { company, filters, instant, observation } from '../../test-support/documents.ts';
import { type SearchStack, searchFor, startSearchStack } from '../../test-support/search-stack.ts';

let stack: SearchStack;
beforeAll(async () => {
  stack = await startSearchStack();
  const tx = stack.record.put({
    companies: [company(1n, 'One', { profile: 'makes batteries' }), company(2n, 'Two')],
    observations: [
      observation(11n, 1n, 'opened a battery plant', {
        observedAt: { ...instant('2026-10-01T00:00:00Z'), nanos: 123_456_000 },
      }),
      observation(12n, 1n, 'opened a second battery plant'),
      observation(21n, 2n, 'opened a battery store', { observedAt: instant('2026-10-03T00:00:00Z') }),
    ],
  });
  await searchFor(stack, 'battery', { waitForTx: tx });
});
afterAll(() => stack[Symbol.asyncDispose]());

async function search(init: Parameters<SearchStack['search']['search']>[0]) {
  const { plan } = await stack.search.plan({ query: 'battery', filters: filters() });
  return await stack.search.search({
    ...(plan && { plan }),
    filters: filters(),
    candidateLimit: 100,
    maxCompanies: 10,
    ...init,
  });
}

test('a request out of bounds is refused with a sentence', async () => {
  const refusals: readonly (readonly [Parameters<typeof search>[0], string])[] = [
    [{ candidateLimit: 99 }, 'candidate_limit must be from 100 to 2000'],
    [{ candidateLimit: 2001 }, 'candidate_limit'],
    [{ maxCompanies: 0 }, 'max_companies must be from 1 to 1000'],
    [{ filters: { kinds: [] } }, 'at least one kind'],
    [{ filters: { kinds: [0] } }, 'known kinds'],
    [{ filters: filters({ companyIds: Array.from({ length: 201 }, () => 1n) }) }, 'at most 200'],
    [{ plan: { version: 9 } }, 'The plan cannot be searched'],
  ];
  for (const [init, sentence] of refusals) await expect(search(init)).rejects.toThrow(sentence);
  await expect(stack.search.plan({ query: '', filters: filters() })).rejects.toThrow('1 to 4000');
  await expect(stack.search.plan({ query: 'x'.repeat(4001), filters: filters() })).rejects.toThrow('1 to 4000');
  const literal = { query: 'battery', filters: filters(), limit: 52 };
  await expect(stack.search.searchObservations(literal)).rejects.toThrow('limit must be from 1 to 51');
});

test('only stop words give an empty answer', async () => {
  const answer = await searchFor(stack, 'the of and');
  expect(answer.companies).toEqual([]);
  expect(answer.position).toBeDefined();
});

function filled(length: number, make: (at: number) => string): string {
  const marks = Array.from({ length }, (_, at) => make(at));
  return marks.join(' ').slice(0, length).trim();
}

test.each([
  ['words', filled(3990, (at) => `w${at}`)],
  ['phrases', filled(3990, (at) => `"p${at}"`)],
  ['exclusions', `battery ${filled(3980, (at) => `-x${at}`)}`],
  ['places', filled(3990, () => 'in Texas')],
])('a query may be as full of %s as it can be', async (_, query) => {
  await searchFor(stack, query);
});

test('a search for observations may name as many words as fit', async () => {
  const query = filled(500, (at) => at.toString(36));
  expect(await stack.search.searchObservations({ query, filters: filters(), limit: 10 })).toMatchObject({ hits: [] });
});

test('no more companies come than asked for, and the candidates are counted', async () => {
  const answer = await search({ maxCompanies: 1 });
  expect(answer.companies).toHaveLength(1);
  expect(answer).toMatchObject({ candidateCompanies: 2, candidateLimitReached: false, relevanceValidated: false });
});

test('an explanation comes only when asked for', async () => {
  expect((await search({})).companies[0]?.explanation).toBeUndefined();
  const { explanation } = (await search({ explain: true })).companies[0] ?? {};
  expect(explanation?.ownText).toBeGreaterThan(0);
  expect(explanation?.matches[0]).toMatch(/^text battery \+/);
});

test('observations come page by page, to the microsecond', async () => {
  const request = { query: 'battery opened', filters: filters(), limit: 2 };
  const first = await stack.search.searchObservations(request);
  expect(first).toMatchObject({ hasMore: true, hits: [{ observationId: 21n, companyId: 2n }, { observationId: 12n }] });
  const last = first.hits.at(-1);
  const second = await stack.search.searchObservations({
    ...request,
    ...(last?.observedAt && { beforeObservedAt: last.observedAt }),
    beforeId: last?.observationId ?? 0n,
  });
  expect(second).toMatchObject({ hasMore: false, hits: [{ observationId: 11n, observedAt: { nanos: 123_456_000 } }] });
});

test('a query without words finds no observation', async () => {
  expect(await stack.search.searchObservations({ query: '—', filters: filters(), limit: 10 })).toMatchObject({
    hits: [],
  });
});

test('an answer says that it was cut when not all of the kind asked for was retrieved, unless it holds all that it may', async () => {
  const ids = Array.from({ length: 501 }, (_, at) => BigInt(1000 + at));
  const tx = stack.record.put({
    companies: ids.map((id) => company(id, `Employer ${id}`)),
    observations: ids.map((id) => observation(id, id, 'posted a position', { kind: Kind.JOB_POSTING })),
  });
  const all = await searchFor(stack, 'hiring', { candidateLimit: 2000, waitForTx: tx });
  expect(all).toMatchObject({ candidatesTruncated: true, candidateLimitReached: false });
  const hundred = await searchFor(stack, 'hiring', { candidateLimit: 100 });
  expect(hundred).toMatchObject({ candidatesTruncated: false, candidateLimitReached: true });
});
