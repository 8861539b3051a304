import { expect, test } from 'vitest';
import { companyResult, usageOf } from '../test-support/answers.ts';
import { json, startScriptedServer } from '../test-support/scripted-server.ts';
import { CesClient } from './index.ts';

const createClient = (baseUrl: string) => new CesClient({ baseUrl, apiKey: 'ces_test_key' });

test('pages repeat the search with its cursor and a key of their own, and stop with the reader', async () => {
  await using server = await startScriptedServer(json(200, companyResult({ next_cursor: 'next' })));
  let read = 0;
  for await (const { operation } of createClient(server.url).searchPages(
    { query: 'q', limit: 5 },
    { requestKey: 'k' },
  )) {
    expect(operation.requestKey).toBe(read === 0 ? 'k' : `k/${read + 1}`);
    read += 1;
    if (read === 3) break;
  }
  const first = { query: 'q', limit: 5 };
  const later = { ...first, cursor: 'next' };
  expect(server.seen.map(({ body }) => JSON.parse(body))).toEqual([first, later, later]);
  expect(server.seen.map(({ headers }) => headers['idempotency-key'])).toEqual(['k', 'k/2', 'k/3']);
});

test('a key that is too long for the keys of later pages is refused before anything is charged', async () => {
  await using server = await startScriptedServer(json(200, companyResult({ next_cursor: 'next' })));
  const pages = createClient(server.url).searchPages({ query: 'q' }, { requestKey: 'k'.repeat(1023) });
  await expect(pages.next()).rejects.toThrow(TypeError);
  expect(server.seen).toEqual([]);
});

test('a key that UTF-8 cannot carry is refused: two of them would be one', () => {
  const client = createClient('http://gateway.example');
  for (const requestKey of ['a\ud800', 'a\udfff', '\udc00\ud800'])
    expect(() => client.searchCompanies({ query: 'q' }, { requestKey })).toThrow(TypeError);
  expect(client.searchCompanies({ query: 'q' }, { requestKey: 'a\ud83d\ude00' }).requestKey).toBe('a😀');
});

test('every operation of the account is read, through pages that are empty', async () => {
  const listed = (id: number) => ({ usage: usageOf({ id }), action: 'company_search', query: 'q', error: null });
  const list = (ids: readonly number[], next_cursor: string | null) =>
    json(200, { usages: ids.map(listed), next_cursor, as_of: '2026-11-20T09:30:00.000Z' });
  await using server = await startScriptedServer(list([3, 2], 'a'), list([], 'b'), list([1], null));
  const ids: number[] = [];
  const filter = { since: new Date('2026-11-01T00:00:00Z'), action: 'company_search', limit: 2 } as const;
  for await (const { usage } of createClient(server.url).eachUsage(filter)) ids.push(usage.id);
  expect(ids).toEqual([3, 2, 1]);
  const first = '/api/usages?since=2026-11-01T00%3A00%3A00.000Z&action=company_search&limit=2';
  expect(server.seen.map(({ url }) => url)).toEqual([first, `${first}&cursor=a`, `${first}&cursor=b`]);
});

test('every entry of a statement is read', async () => {
  const statement = (ids: readonly number[], next_cursor: string | null) =>
    json(200, { entries: ids.map((usage_id) => ({ usage_id })), totals: {}, next_cursor });
  await using server = await startScriptedServer(statement([1], 'a'), statement([2], null));
  const ids: number[] = [];
  for await (const { usage_id } of createClient(server.url).eachEntry({ until: '2026-12-01T00:00:00Z' }))
    ids.push(usage_id);
  expect(ids).toEqual([1, 2]);
  expect(server.seen[1]?.url).toBe('/api/usage/statement?until=2026-12-01T00%3A00%3A00Z&cursor=a');
});
