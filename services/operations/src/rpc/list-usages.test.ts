import { timestampMs } from '@bufbuild/protobuf/wkt';
import { FailureCode } from '@ces/chassis/rpc/failure';
import { HoldState } from '@ces/proto/ces/ledger/v1/ledger_pb.ts';
import { Action, Status } from '@ces/proto/ces/operations/v1/operations_pb.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { codeOf, gate } from '../../test-support/expect.ts';
import { answerOf, callerOfAccount, Stack } from '../../test-support/stack.ts';
import { listAsOf } from './list-usages.ts';

let stack: Stack;

beforeEach(async () => {
  stack = await Stack.forTest({ CES_ACCOUNT_PAGES_PER_SECOND: '1000', CES_OPERATIONS_SWEEP_INTERVAL_MS: '0' });
  stack.record.addCompanies(2);
});
afterEach(async () => {
  await stack[Symbol.asyncDispose]();
});

type Filters = Omit<Parameters<ReturnType<Stack['client']>['listUsages']>[0], '$typeName' | 'caller'>;

async function list(filters: Filters = {}, caller = callerOfAccount()) {
  return await stack.client().listUsages({ caller, ...filters });
}

const lookUp = async (requestKey: string) =>
  answerOf(await stack.client().submitCompanyLookup({ caller: callerOfAccount(), requestKey, input: { ids: [1n] } }));

test('a just delivered operation is listed as it was answered, before it is marked', async () => {
  const answer = await lookUp('a');
  const { usages } = await list();
  expect(usages).toMatchObject([{ usage: answer.usage, action: Action.COMPANY_LOOKUP }]);
  expect(usages[0]?.finishedAt).toBeDefined();
  expect((await list({ status: Status.DELIVERED })).usages).toHaveLength(1);
  expect((await list({ status: Status.PROCESSING })).usages).toEqual([]);
});

test('an operation settled by a slow clock, like the one of the test ledger, does not end before it was accepted', async () => {
  await lookUp('a');
  const [{ createdAt, finishedAt } = {}] = (await list()).usages;
  if (!createdAt || !finishedAt) throw new Error('it is not listed as ended');
  /* Equal, or later by the database's clock when it was marked meanwhile. */
  expect(timestampMs(finishedAt)).toBeGreaterThanOrEqual(timestampMs(createdAt));
});

test('an operation that the ledger has not admitted yet is in no list', async () => {
  const asked = gate();
  stack.ledger.before = async (method) => {
    if (method === 'charge' || method === 'reserve') await asked.passed;
  };
  const calls = [lookUp('charged'), stack.submit({ requestKey: 'held', input: { query: 'a' } })];
  await expect.poll(() => stack.countOperations()).toBe(2);
  expect((await list()).usages).toEqual([]);
  asked.open();
  await Promise.all(calls);
  expect((await list()).usages.map(({ usage }) => usage?.requestKey).toSorted()).toEqual(['charged', 'held']);
});

test('a result that is stored and not settled is processing, and delivered once the ledger says so', async () => {
  const settling = gate();
  stack.ledger.before = async (method) => {
    if (method === 'settle') await settling.passed;
  };
  const call = stack.submit({ requestKey: 'a', input: { query: 'a' } });
  await expect.poll(() => stack.stateOf('a')).toBe('stored');
  expect((await list({ status: Status.PROCESSING })).usages).toMatchObject([
    { usage: { status: Status.PROCESSING, units: { requestUnits: 0n } }, query: 'a' },
  ]);
  expect((await list({ status: Status.DELIVERED })).usages).toEqual([]);
  settling.open();
  const { id } = (await call).usage;
  expect(stack.ledger.postings.get(id)?.state).toBe(HoldState.POSTED);
  expect((await list({ status: Status.PROCESSING })).usages).toEqual([]);
  expect((await list()).usages).toMatchObject([
    { usage: { id, status: Status.DELIVERED, units: { requestUnits: 1n } } },
  ]);
});

test('an entry of another operation that had the same number before a restore shows nothing as delivered', async () => {
  const charging = gate();
  stack.ledger.before = async (method) => {
    if (method === 'charge') await charging.passed;
  };
  const call = lookUp('a');
  await expect.poll(() => stack.stateOf('a')).toBe('stored');
  const { rows } = await stack.db.query<{ id: bigint }>('select id from operation');
  const foreign = { identity: '00000000-0000-4000-8000-000000000001', accountId: 2n, subscriptionId: 1002n };
  stack.ledger.postings.set(rows[0]?.id ?? 0n, { ...foreign, state: HoldState.POSTED, request: 1n, delivered: 19n });
  expect((await list()).usages).toEqual([]);
  charging.open();
  await call;
  expect((await list()).usages).toMatchObject([{ usage: { requestKey: 'a', units: { deliveredUnits: 1n } } }]);
});

test('the ledger is asked only for stored and unmarked operations', async () => {
  await lookUp('a');
  await expect.poll(() => stack.stateOf('a')).toBe('delivered');
  stack.ledger.calls.length = 0;
  expect((await list()).usages).toHaveLength(1);
  expect(stack.ledger.calls).toEqual([]);
});

test('deleted operations are left out', async () => {
  const { usage } = await lookUp('a');
  await stack.db.query("update operation set created_at = created_at - interval '400 days' where id = $1", [usage.id]);
  expect((await list()).usages).toEqual([]);
  expect((await list({ since: '2020-01-01T00:00:00Z' })).usages).toEqual([]);
});

test('a credential needs the scope `usage`, and the subscription to be usable', async () => {
  const allowed = callerOfAccount(1n, { scopes: ['usage'] });
  expect(await codeOf(list({}, allowed))).toBeUndefined();
  const both = callerOfAccount(1n, { scopes: ['search', 'lookup'] });
  expect(await codeOf(list({}, both))).toBe(FailureCode.INVALID_API_KEY);
  const unpaid = callerOfAccount(1n, { subscriptionStatus: 'unpaid' });
  expect(await codeOf(list({}, unpaid))).toBe(FailureCode.SUBSCRIPTION_REQUIRED);
});

test('a cursor expires, and a cursor of another list is refused', async () => {
  await lookUp('a');
  await lookUp('b');
  const cursor = (await list({ limit: 1 })).nextCursor ?? '';
  expect((await list({ cursor })).usages).toHaveLength(1);
  const statement = stack.client().getUsageStatement({ caller: callerOfAccount(), cursor });
  expect(await codeOf(statement)).toBe(FailureCode.INVALID_CURSOR);
  const shortLived = await stack.startService({ CES_OPERATIONS_CURSOR_TTL_MS: '1' });
  const { nextCursor = '' } = await stack.client(shortLived).listUsages({ caller: callerOfAccount(), limit: 1 });
  expect(await codeOf(list({ cursor: nextCursor }))).toBe(FailureCode.INVALID_CURSOR);
});

test.each<[Filters]>([
  [{ limit: 0 }],
  [{ limit: 101 }],
  [{ limit: -1 }],
  [{ since: '' }],
  [{ until: '2026-02-30T00:00:00Z' }],
  [{ since: '2026-01-01T00:00:00.5Z', until: '2026-01-01T00:00:00.5Z' }],
  [{ since: '2026-01-01T00:00:00.51Z', until: '2026-01-01T00:00:00.5Z' }],
  [{ action: 6 as Action }],
  [{ status: 5 as Status }],
])('%j is INVALID_REQUEST', async (filters) => {
  expect(await codeOf(list(filters))).toBe(FailureCode.INVALID_REQUEST);
});

const at = (second: number) => new Date(Date.UTC(2026, 10, 26, 12, 0, second));

test('a list is of the moment that it was asked for, and no earlier than what it says', () => {
  expect(listAsOf(at(5), [])).toEqual(at(5));
  expect(listAsOf(at(5), [{ createdAt: at(1), finishedAt: at(2) }])).toEqual(at(5));
  expect(listAsOf(at(5), [{ createdAt: at(1), finishedAt: at(6) }])).toEqual(at(6));
  expect(listAsOf(at(5), [{ createdAt: at(7), finishedAt: undefined }])).toEqual(at(7));
});
