import { FailureCode, fail } from '@ces/chassis/rpc/failure';
import { Action } from '@ces/proto/ces/operations/v1/operations_pb.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { codeOf } from '../../test-support/expect.ts';
import { answerOf, callerOfAccount, Stack } from '../../test-support/stack.ts';

let stack: Stack;

beforeEach(async () => {
  stack = await Stack.forTest({ CES_ACCOUNT_PAGES_PER_SECOND: '2' });
  stack.record.addCompanies(2);
});
afterEach(async () => {
  await stack[Symbol.asyncDispose]();
});

const units = { requestUnits: 1n, deliveredUnits: 1n, freshEvidenceUnits: 0n };
const at = (micros: number) => ({ seconds: 1_772_600_767n, nanos: micros * 1_000 });

function statementOf(lines: readonly object[], hasMore = false) {
  return { since: at(0), until: at(9), now: at(8), knownUntil: at(7), totals: units, lines: [...lines], hasMore };
}

const ask = (caller = callerOfAccount(), rest: object = {}) => stack.client().getUsageStatement({ caller, ...rest });

test('entries get the keys and actions of the operations that the account has, and no other', async () => {
  const lookUp = async (accountId: bigint) => {
    const caller = callerOfAccount(accountId);
    const { usage } = answerOf(
      await stack.client().submitCompanyLookup({ caller, requestKey: 'k', input: { ids: [1n] } }),
    );
    return usage.id;
  };
  const [own, stranger] = [await lookUp(1n), await lookUp(2n)];
  const line = (operationId: bigint) => ({
    ...{ operationId, settledAt: at(1), units },
    operationIdentity: stack.ledger.postings.get(operationId)?.identity ?? crypto.randomUUID(),
  });
  stack.ledger.statement = statementOf([line(own), { ...line(own), reason: 'Lost.' }, line(stranger), line(777n)]);
  const { entries, totals, nextCursor } = await ask();
  expect(
    entries.map(({ operationId, requestKey, action, reason }) => [operationId, requestKey, action, reason]),
  ).toEqual([
    [own, 'k', Action.COMPANY_LOOKUP, undefined],
    [own, 'k', Action.COMPANY_LOOKUP, 'Lost.'],
    [stranger, undefined, Action.UNSPECIFIED, undefined],
    [777n, undefined, Action.UNSPECIFIED, undefined],
  ]);
  expect([totals, nextCursor]).toEqual([expect.objectContaining(units), undefined]);
});

test('an entry of another operation that had the same number before a restore gets no key', async () => {
  const caller = callerOfAccount();
  const input = { ids: [1n] };
  const { usage } = answerOf(await stack.client().submitCompanyLookup({ caller, requestKey: 'new', input }));
  const line = { operationId: usage.id, settledAt: at(1), units };
  const identity = stack.ledger.postings.get(usage.id)?.identity ?? '';
  const keysOf = async (...lines: object[]) => {
    stack.ledger.statement = statementOf(lines);
    return (await ask()).entries.map(({ requestKey }) => requestKey);
  };
  expect(await keysOf({ ...line, operationIdentity: identity })).toEqual(['new']);
  const lost = '00000000-0000-4000-8000-000000000001';
  expect(await keysOf({ ...line, operationIdentity: lost })).toEqual([undefined]);
});

test('a cursor keeps to the microsecond what the first page was asked and knew', async () => {
  stack.ledger.statement = statementOf([{ operationId: 1n, settledAt: at(3), units, reason: 'Lost.' }], true);
  const first = await ask(undefined, { until: '2026-03-04T05:06:07.000009Z' });
  const asked: unknown[] = [];
  stack.ledger.onStatement = (request) => asked.push(request);
  const cursor = first.nextCursor ?? '';
  stack.ledger.statement = { ...statementOf([]), now: at(900) };
  const later = await ask(undefined, { until: '2026-03-04T06:06:07.000009+01:00', limit: 7, cursor });
  expect(asked).toMatchObject([
    {
      ...{ subscriptionId: 1001n, limit: 7, since: at(0), until: at(9) },
      after: { knownUntil: at(7), settledAt: at(3), reversal: true },
    },
  ]);
  expect(later.asOf).toMatchObject(at(8));
});

test('a cursor is of its account and subscription', async () => {
  stack.ledger.statement = statementOf([{ operationId: 1n, settledAt: at(3), units }], true);
  const cursor = (await ask()).nextCursor ?? '';
  expect(await codeOf(ask(callerOfAccount(2n), { cursor }))).toBe(FailureCode.INVALID_CURSOR);
  const renewed = callerOfAccount(1n, { subscriptionId: 77n });
  expect(await codeOf(ask(renewed, { cursor }))).toBe(FailureCode.INVALID_CURSOR);
});

test('a refusal of the ledger is passed on in its words', async () => {
  stack.ledger.before = (method) => {
    if (method === 'getUsageStatement') throw fail(FailureCode.INVALID_REQUEST, 'Settlements are kept since then.');
  };
  await expect(ask()).rejects.toThrow('Settlements are kept since then.');
  expect(await codeOf(ask())).toBe(FailureCode.INVALID_REQUEST);
});

test('a credential needs the scope `usage`', async () => {
  const caller = callerOfAccount(1n, { scopes: ['search', 'lookup'] });
  expect(await codeOf(ask(caller))).toBe(FailureCode.INVALID_API_KEY);
});

test('the gateway has counted its pages; who shows a bearer is counted here, lists and statements alike', async () => {
  stack.ledger.refusePages = true;
  stack.ledger.statement = statementOf([]);
  for (let n = 0; n < 4; n += 1) expect(await codeOf(ask())).toBeUndefined();
  const caller = { identity: { case: 'bearer', value: 'key-1' } } as const;
  const anyone = stack.client(stack.first, '');
  await anyone.listUsages({ caller });
  await expect.poll(() => codeOf(anyone.getUsageStatement({ caller }))).toBe(FailureCode.RATE_LIMITED);
  expect(await codeOf(anyone.listUsages({ caller }))).toBe(FailureCode.RATE_LIMITED);
});
