import { expect, test } from 'vitest';
import { type FakeGateway, type Reply, startFakeGateway } from '../../test-support/fake-gateway.ts';
import { ces } from '../../test-support/fake-stack.ts';

const usage = {
  id: 7,
  status: 'delivered',
  request_key: 'k',
  request_units: 1,
  delivered_units: 4,
  fresh_evidence_units: 0,
};
const PAGE = {
  usages: [
    {
      usage: { ...usage, id: 8, status: 'failed', request_units: 0, delivered_units: 0 },
      ...{ action: 'company_search', query: 'bakeries', created_at: '2026-11-20T09:41:07.118Z' },
      ...{ finished_at: '2026-11-20T09:41:09.902Z', error: { code: 'search_failed', message: 'Broke.' } },
    },
    {
      ...{ usage, action: 'company_lookup', query: null, created_at: '2026-11-20T09:29:59.640Z' },
      ...{ finished_at: '2026-11-20T09:30:00.051Z', error: null },
    },
  ],
  next_cursor: 'more',
  as_of: '2026-11-20T10:00:00.000Z',
};

function envOf(gateway: FakeGateway): NodeJS.ProcessEnv {
  return { CES_GATEWAY_URL: gateway.url, CES_TOKEN: 'ces_live_x', CES_DATA_DIR: '/nonexistent' };
}

test('operations are shown in a table, with why one failed and how to go on', async () => {
  await using gateway = await startFakeGateway((): Reply => ({ status: 200, body: PAGE }));
  const filters = [
    '--since',
    '2026-11-20T00:00:00+01:00',
    '--status',
    'failed',
    '--action',
    'company_search',
    '--limit',
    '2',
  ];
  const { exitCode, stdout } = await ces(['usages', ...filters, '--cursor', 'c'], envOf(gateway));
  expect(exitCode).toBe(0);
  const [, query = ''] = gateway.calls[0]?.path.split('?') ?? [];
  expect(Object.fromEntries(new URLSearchParams(query))).toEqual({
    ...{ since: '2026-11-20T00:00:00+01:00', action: 'company_search', status: 'failed', limit: '2', cursor: 'c' },
  });
  expect(stdout).toMatch(/8 +2026-11-20 09:41:07Z +company_search +failed: search_failed +0 +0 +0 +k +bakeries/);
  expect(stdout).toMatch(/7 +2026-11-20 09:29:59Z +company_lookup +delivered +1 +4 +0 +k\n/);
  expect(stdout).toContain('next page  --cursor more');
});

test('without filters none is sent; no operations are a sentence; --json prints the body', async () => {
  const empty = { usages: [], next_cursor: null, as_of: PAGE.as_of };
  await using gateway = await startFakeGateway((): Reply => ({ status: 200, body: empty }));
  expect((await ces(['usages'], envOf(gateway))).stdout).toBe('No operations.\n');
  expect((await ces(['usages', '--json'], envOf(gateway))).json()).toEqual(empty);
  expect(gateway.calls.map(({ path }) => path)).toEqual(['/api/usages', '/api/usages']);
});

test('a filter that cannot be meant ends before anything is asked', async () => {
  await using gateway = await startFakeGateway((): Reply => ({ status: 200, body: PAGE }));
  for (const argv of [
    ['--status', 'done'],
    ['--action', 'x'],
    ['--limit', '101'],
    ['--since', 'yesterday'],
  ])
    expect((await ces(['usages', ...argv], envOf(gateway))).exitCode).toBe(2);
  expect(gateway.calls).toEqual([]);
});
