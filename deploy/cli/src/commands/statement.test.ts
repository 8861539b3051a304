import { expect, test } from 'vitest';
import { type FakeGateway, startFakeGateway } from '../../test-support/fake-gateway.ts';
import { ces } from '../../test-support/fake-stack.ts';

const AT = '2026-11-20T09:30:00.048Z';
const COMMON = {
  subscription: { plan: 'builder', status: 'active', current_period_start: AT, current_period_end: AT },
  since: '2026-11-01T00:00:00.000Z',
  until: AT,
  as_of: AT,
  totals: { request_units: 1, delivered_units: 1_007, fresh_evidence_units: 0 },
};
const settlement = (id: number, key: string, delivered: number) => ({
  ...{ usage_id: id, request_key: key, action: 'company_search', settled_at: AT, kind: 'settlement', reason: null },
  ...{ request_units: 1, delivered_units: delivered, fresh_evidence_units: 0 },
});
const reversal = {
  ...{ usage_id: 8, request_key: null, action: null, settled_at: AT, kind: 'reversal', reason: 'Lost, in a restore' },
  ...{ request_units: -1, delivered_units: -3, fresh_evidence_units: 0 },
};

function envOf(gateway: FakeGateway): NodeJS.ProcessEnv {
  return { CES_GATEWAY_URL: gateway.url, CES_TOKEN: 'ces_live_x', CES_DATA_DIR: '/nonexistent' };
}

/** A statement of two pages; the gateway refuses the second page once with 429. */
async function startPaged(): Promise<FakeGateway> {
  let refused = false;
  return await startFakeGateway(({ path }) => {
    if (!path.includes('cursor=next')) {
      const entries = [settlement(7, 'a "key", quoted', 1_007), settlement(8, 'k', 3)];
      return { status: 200, body: { ...COMMON, entries, next_cursor: 'next' } };
    }
    if (refused) return { status: 200, body: { ...COMMON, entries: [reversal], next_cursor: null } };
    refused = true;
    const error = { code: 'rate_limited', message: 'Too many pages.', retry_after_seconds: 0 };
    return { status: 429, body: { error } };
  });
}

test('a statement is read to its last page with the same interval, and shown with its totals', async () => {
  await using gateway = await startPaged();
  const { exitCode, stdout } = await ces(['statement', '--since', '2026-11-01T00:00:00Z'], envOf(gateway));
  expect(exitCode).toBe(0);
  const first = '/api/usage/statement?since=2026-11-01T00%3A00%3A00Z&limit=1000';
  expect(gateway.calls.map(({ path }) => path)).toEqual([first, `${first}&cursor=next`, `${first}&cursor=next`]);
  expect(stdout).toMatch(/entries +3\n/);
  expect(stdout).toMatch(/Lost, in a restore +-1 +-3 +0/);
  expect(stdout).toMatch(/total +1 +1,007 +0\n/);
});

test('--csv prints a line an entry, and --json all entries as one statement', async () => {
  await using gateway = await startPaged();
  const { stdout } = await ces(['statement', '--csv'], envOf(gateway));
  expect(stdout.split('\n')).toEqual([
    'settled_at,usage_id,kind,action,request_units,delivered_units,fresh_evidence_units,request_key,reason',
    `${AT},7,settlement,company_search,1,1007,0,"a ""key"", quoted",`,
    `${AT},8,settlement,company_search,1,3,0,k,`,
    `${AT},8,reversal,,-1,-3,0,,"Lost, in a restore"`,
    '',
  ]);
  const { json } = await ces(['statement', '--json'], envOf(gateway));
  expect(json()).toMatchObject({ totals: COMMON.totals, next_cursor: null, entries: { length: 3 } });
});

test('other refusals are not retried, and an interval without settlements is reported as empty', async () => {
  const error = { code: 'invalid_request', message: '`since` must be before `until`.' };
  await using refusing = await startFakeGateway(() => ({ status: 422, body: { error } }));
  const { exitCode, stderr } = await ces(['statement'], envOf(refusing));
  expect([exitCode, stderr, refusing.calls.length]).toEqual([
    1,
    'ces: --since must be before --until. (invalid_request)\n',
    1,
  ]);
  await using empty = await startFakeGateway(() => ({
    status: 200,
    body: { ...COMMON, entries: [], next_cursor: null },
  }));
  expect((await ces(['statement'], envOf(empty))).stdout).toContain('No entries.');
});
