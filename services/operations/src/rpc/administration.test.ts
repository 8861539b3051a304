import { FailureCode } from '@ces/chassis/rpc/failure';
import { Action, Status } from '@ces/proto/ces/operations/v1/operations_pb.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { codeOf, gate } from '../../test-support/expect.ts';
import { answerOf, callerOfAccount, Stack } from '../../test-support/stack.ts';

let stack: Stack;

beforeAll(async () => {
  stack = await Stack.start();
  stack.record.addCompanies(4);
});
afterAll(async () => {
  await stack[Symbol.asyncDispose]();
});

async function search(account: bigint, requestKey: string, query = 'a', background = false) {
  const request = { caller: callerOfAccount(account), requestKey, input: { query, limit: 3 }, background };
  return answerOf(await stack.client().submitCompanySearch(request)).usage.id;
}

async function delivered(id: bigint): Promise<void> {
  const point = async () => (await stack.admin.getOperationRecord({ operationId: id })).operation?.point;
  await expect.poll(point).toBe('delivered');
}

test('operations are listed newest first, by account and state, and settlements agree with them', async () => {
  const first = await search(1n, 'a');
  const second = await search(2n, 'b');
  const diagnostic = answerOf(await stack.client().submitDiagnostic({ caller: callerOfAccount(1n), requestKey: 'd' }))
    .usage.id;
  for (const id of [first, second, diagnostic]) await delivered(id);
  const idsOf = async (request: object) =>
    (await stack.admin.listOperations(request)).operations.map((operation) => operation.id);
  expect(await idsOf({})).toEqual([diagnostic, second, first]);
  expect(await idsOf({ accountId: 1n, status: Status.DELIVERED })).toEqual([diagnostic, first]);
  expect(await idsOf({ status: Status.PENDING })).toEqual([]);
  expect(await idsOf({ beforeId: second, limit: 1 })).toEqual([first]);
  expect(await codeOf(stack.admin.listOperations({ limit: 1001 }))).toBe(FailureCode.INVALID_REQUEST);
  const { settlements } = await stack.admin.listSettlements({ afterOperationId: first });
  expect(settlements).toMatchObject([
    { operationId: second, subscriptionId: 1002n, status: Status.DELIVERED, storedCompanies: 3n, metered: true },
    { operationId: diagnostic, storedCompanies: 0n, metered: false, units: { requestUnits: 0n } },
  ]);
  expect(settlements[0]?.units).toMatchObject({ requestUnits: 1n, deliveredUnits: 3n });
});

test('an operation is shown with all frozen data, and showing it writes an audit row', async () => {
  const id = await search(1n, 'shown', ' Steel  works ');
  await delivered(id);
  const record = await stack.admin.getOperationRecord({ operationId: id });
  expect(record.operation).toMatchObject({ action: Action.COMPANY_SEARCH, requestKey: 'shown', accountId: 1n });
  expect(JSON.parse(record.normalFormJson)).toEqual({ query: 'Steel works', limit: 3 });
  expect(JSON.parse(record.planJson)).toMatchObject({ planner: 'fake/1', retrieval: 'lexical', plan: { version: 1 } });
  expect(JSON.parse(record.resultJson)).toMatchObject({ items: [{ company_id: 1, observation_ids: [10] }, {}, {}] });
  const { rows } = await stack.db.query(`select caller from audit where action = 'show' and operation_id = $1`, [id]);
  expect(rows).toContainEqual({ caller: 'admin' });
  expect(await codeOf(stack.admin.getOperationRecord({ operationId: 999_999n }))).toBe(FailureCode.NOT_FOUND);
});

test('a waiting operation is made due at once; a running or ended one does not change', async () => {
  const { passed, open } = gate();
  stack.search.before = () => passed;
  const id = await search(1n, 'queued', 'a', true);
  const requeue = async () => (await stack.admin.requeueOperation({ operationId: id })).requeued;
  await expect
    .poll(async () => (await stack.admin.getOperationRecord({ operationId: id })).operation?.point)
    .toBe('running');
  expect(await requeue()).toBe(false);
  await stack.db.query(
    `update job set owner = null, fence = 7, due_at = clock_timestamp() + '1 hour' where operation_id = $1`,
    [id],
  );
  expect(await requeue()).toBe(true);
  open();
  await delivered(id);
  expect(await requeue()).toBe(false);
});

test('only administrators may call administration', async () => {
  const { rows } = await stack.db.query<{ count: bigint }>(`select count(*) from audit where caller <> 'admin'`);
  expect(rows[0]?.count).toBe(0n);
  const stranger = stack.adminAs('gateway-token');
  expect(await codeOf(stranger.listOperations({}))).toBe(FailureCode.CALLER_NOT_ALLOWED);
});
