import { randomUUID } from 'node:crypto';
import { createRpcClient } from '@ces/chassis/rpc/client';
import { failureOf } from '@ces/chassis/rpc/failure';
import { OperationsService } from '@ces/proto/ces/operations/v1/operations_service_pb.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { NO_FLOOD_LIMITS } from '../../support/no-flood-limits.ts';
import { facilities, recordEvidence } from '../../support/record.ts';
import { type Owned, ownEverything } from '../../support/security/owned.ts';
import { callRaw, callRawTool } from '../../support/security/raw-answer.ts';
import { startTestStack, type TestStack } from '../../support/stack.ts';
import { createSubscriber, type Subscriber } from '../../support/subscriber.ts';

let stack: TestStack;
let owner: Subscriber;
let stranger: Subscriber;
let owned: readonly Owned[];

beforeAll(async () => {
  stack = await startTestStack({ env: NO_FLOOD_LIMITS });
  const { companies, observations } = facilities(6, 'glass furnace');
  await recordEvidence(stack, companies, observations);
  owner = await createSubscriber(stack);
  stranger = await createSubscriber(stack);
  owned = await ownEverything(owner);
});
afterAll(() => stack[Symbol.asyncDispose]());

const strangersCall = (call: { method: string; path: string; key?: string; json?: unknown }) =>
  callRaw(stack.baseUrl, { ...call, token: stranger.token });

test("another account's usage id is answered byte for byte like one that never was", async () => {
  const absent = await strangersCall({ method: 'GET', path: '/api/usages/987654321' });
  expect(absent.status).toBe(404);
  for (const { what, usageId } of owned) {
    expect((await owner.poll(usageId)).status, what).toBe(200);
    expect(await strangersCall({ method: 'GET', path: `/api/usages/${usageId}` }), what).toEqual(absent);
  }
});

test('lists and statements hold nothing of another account, and its cursors open none', async () => {
  const lists = ['/api/usages', '/api/usages?status=delivered', '/api/usage/statement'];
  const bystander = await createSubscriber(stack);
  const shown = async (path: string, token: string) => {
    const { status, body } = await callRaw(stack.baseUrl, { method: 'GET', path, token });
    const { as_of, since, until, subscription, ...rest } = JSON.parse(body);
    return { status, rest };
  };
  for (const path of lists) {
    const own = await owner.request('GET', `${path}${path.includes('?') ? '&' : '?'}limit=1`);
    expect(own.body.next_cursor, path).not.toBeNull();
    expect(await shown(path, stranger.token), path).toEqual(await shown(path, bystander.token));
    const withCursor = `${path}${path.includes('?') ? '&' : '?'}cursor=`;
    const answers = [own.body.next_cursor ?? '', broken(own.body.next_cursor ?? '')].map((cursor) =>
      strangersCall({ method: 'GET', path: `${withCursor}${cursor}` }),
    );
    const [anothers, none] = await Promise.all(answers);
    expect([anothers?.status, anothers], path).toEqual([422, none]);
  }
});

test('operations gives the same answer to a caller with a bearer, without the gateway', async () => {
  const operations = createRpcClient(OperationsService, {
    url: stack.environmentOf('gateway').CES_OPERATIONS_URL ?? '',
    timeoutMs: 30_000,
  });
  const ask = (token: string, operationId: bigint) =>
    operations.getOperation({ caller: { identity: { case: 'bearer', value: token } }, operationId });
  const refusal = async (operationId: bigint) => {
    const error = await ask(stranger.token, operationId).catch((reason) => reason);
    return { code: error.code, message: error.message, failure: failureOf(error) };
  };
  const absent = await refusal(987_654_321n);
  for (const { what, usageId } of owned) {
    expect((await ask(owner.token, BigInt(usageId))).answer?.usage?.id, what).toBe(BigInt(usageId));
    expect(await refusal(BigInt(usageId)), what).toEqual(absent);
  }
});

function broken(cursor: string): string {
  return cursor.replace(/^(.*)(.)$/, (_, rest, last) => rest + (last === 'A' ? 'E' : 'A'));
}

test("another account's cursor is answered like one that was never given out", async () => {
  const paged = owned.filter(({ cursor }) => cursor !== undefined);
  expect(paged.map(({ what }) => what)).toEqual([
    'company search',
    'observation search',
    'queued observation search',
    'observation look-up',
  ]);
  for (const { what, method, path, json, cursor = '' } of paged) {
    const withCursor = (value: string) =>
      strangersCall({ method, path, key: randomUUID(), json: { ...json, cursor: value } });
    const absent = await withCursor(broken(cursor));
    expect(JSON.parse(absent.body)).toMatchObject({ error: { code: 'invalid_cursor' } });
    expect(await withCursor(cursor), what).toEqual(absent);
    const own = await owner.request(method, path, { key: randomUUID(), json: { ...json, cursor } });
    expect([200, 202], what).toContain(own.status);
  }
});

test('a tool says of a cursor what REST says', async () => {
  const { json, cursor = '' } = owned[0] as Owned;
  const withCursor = (value: string) =>
    callRawTool(stack.baseUrl, {
      token: stranger.token,
      name: 'search_companies',
      args: { ...json, cursor: value, request_key: randomUUID() },
    });
  const absent = await withCursor(broken(cursor));
  expect(absent.body).toContain('invalid_cursor');
  expect(await withCursor(cursor)).toEqual(absent);
});

/** An answer without the fields that are unique to an operation. */
function withoutOwn({ status, headers, body }: Awaited<ReturnType<typeof callRaw>>) {
  const { 'usage-id': id, 'content-length': _, ratelimit: __, location: ___, ...rest } = headers;
  const parsed = JSON.parse(body, (name, value) =>
    ['id', 'request_key', 'as_of', 'next_cursor', 'request_allowance'].includes(name) ? typeof value : value,
  );
  return { id: Number(id), shown: { status, headers: rest, body: parsed } };
}

test("another account's key is as free as any: with its input or another a new operation, and the owner's stays", async () => {
  const another = { company_ids: [1] };
  for (const { what, method, path, json, key, usageId } of owned) {
    const submit = (requestKey: string, input: unknown) =>
      strangersCall({ method, path, key: requestKey, json: input });
    const fresh = withoutOwn(await submit(randomUUID(), json));
    const taken = withoutOwn(await submit(key, json));
    expect(taken.shown, what).toEqual(fresh.shown);
    expect(taken.id).not.toBe(usageId);
    const replay = await owner.request(method, path, { key, json });
    expect(Number(replay.headers.get('usage-id')), what).toBe(usageId);
  }
  const [search] = owned;
  const other = await createSubscriber(stack);
  const changed = { query: 'glass', filters: another };
  expect((await other.search(changed, search?.key)).status).toBe(200);
});

test("operations of an account are listed as its own, and its report knows nothing of another's", async () => {
  const { accountId } = owner;
  const { operations } = await stack.operationsAdmin.listOperations({ accountId, limit: 1000 });
  expect(new Set(operations.map((one) => one.accountId))).toEqual(new Set([accountId]));
  expect(operations.map(({ id }) => Number(id))).toEqual(expect.arrayContaining(owned.map(({ usageId }) => usageId)));
  const newcomer = await createSubscriber(stack, { plan: 'builder' });
  expect((await newcomer.report()).body).toMatchObject({
    subscription: { plan: 'builder' },
    usage: { request_units: 0, delivered_units: 0, weekly_request_units: 0 },
  });
  const { credentials } = await stack.ledgerAdmin.listCredentials({ accountId });
  expect(credentials.map(({ id }) => id)).toEqual([owner.credentialId]);
});
