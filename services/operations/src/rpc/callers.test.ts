import { FailureCode } from '@ces/chassis/rpc/failure';
import { Code } from '@connectrpc/connect';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { codeOf, outcomeOf } from '../../test-support/expect.ts';
import { answerOf, callerOfAccount, Stack } from '../../test-support/stack.ts';

let stack: Stack;

beforeEach(async () => {
  stack = await Stack.forTest();
});
afterEach(async () => {
  await stack[Symbol.asyncDispose]();
});

const caller = callerOfAccount(1n);

test('a credential submits operations in its scopes, and polls those or any with the scope usage', async () => {
  stack.record.addCompanies(1);
  const as = (...scopes: string[]) => callerOfAccount(1n, { scopes });
  const submit = {
    search: (who: ReturnType<typeof as>) =>
      stack.client().submitCompanySearch({ caller: who, requestKey: 's', input: { query: 'a' } }),
    observations: (who: ReturnType<typeof as>) =>
      stack.client().submitObservationSearch({ caller: who, requestKey: 'o', input: { query: 'a' } }),
    lookup: (who: ReturnType<typeof as>) =>
      stack.client().submitCompanyLookup({ caller: who, requestKey: 'l', input: { ids: [1n] } }),
    diagnostic: (who: ReturnType<typeof as>) => stack.client().submitDiagnostic({ caller: who, requestKey: 'd' }),
  };
  const ids = {
    search: answerOf(await submit.search(as('search'))).usage.id,
    lookup: answerOf(await submit.lookup(as('lookup'))).usage.id,
    diagnostic: answerOf(await submit.diagnostic(as('usage'))).usage.id,
  };
  await submit.observations(as('search'));
  for (const refused of [
    submit.search(as('lookup', 'usage')),
    submit.observations(as('lookup')),
    submit.lookup(as('search', 'usage')),
    submit.search(as()),
  ]) {
    expect(await codeOf(refused)).toBe(FailureCode.INVALID_API_KEY);
  }
  const unpaid = callerOfAccount(1n, { scopes: ['lookup'], subscriptionStatus: 'canceled' });
  expect(await codeOf(submit.search(unpaid))).toBe(FailureCode.INVALID_API_KEY);
  const poll = async (operationId: bigint, ...scopes: string[]) =>
    await codeOf(stack.client().getOperation({ caller: as(...scopes), operationId }));
  for (const scope of ['search', 'usage']) expect(await poll(ids.search, scope)).toBeUndefined();
  for (const scope of ['lookup', 'usage']) expect(await poll(ids.lookup, scope)).toBeUndefined();
  for (const scope of ['search', 'lookup', 'usage']) expect(await poll(ids.diagnostic, scope)).toBeUndefined();
  expect(await poll(ids.search, 'lookup')).toBe(FailureCode.INVALID_API_KEY);
  expect(await poll(ids.lookup, 'search')).toBe(FailureCode.INVALID_API_KEY);
  expect(await poll(999_999n, 'lookup')).toBe(FailureCode.USAGE_NOT_FOUND);
});

test('only the gateway names a principal, others pass a bearer, and all need a usable subscription', async () => {
  stack.record.addCompanies(1);
  const request = { requestKey: 'k', input: { query: 'a' } };
  for (const token of ['search-token', '']) {
    const call = stack.client(stack.first, token).submitCompanySearch({ ...request, caller });
    expect(await codeOf(call)).toBe(FailureCode.CALLER_NOT_ALLOWED);
  }
  const bearer = (value: string) => ({ identity: { case: 'bearer', value } }) as const;
  const internal = stack.client(stack.first, 'search-token');
  const first = answerOf(await internal.submitCompanySearch({ ...request, caller: bearer('key-1') }));
  expect((await stack.submit(request)).usage.id).toBe(first.usage.id);
  expect(await codeOf(internal.submitCompanySearch({ ...request, caller: bearer('nobody') }))).toBe(
    FailureCode.INVALID_API_KEY,
  );
  expect(await codeOf(stack.client().submitCompanySearch(request))).toBe(FailureCode.INVALID_API_KEY);
  for (const subscriptionStatus of ['past_due', 'canceled', '']) {
    const unpaid = callerOfAccount(1n, { subscriptionStatus });
    const calls = [
      stack.submit({ ...request, caller: unpaid }),
      stack.client().getOperation({ caller: unpaid, operationId: first.usage.id }),
      stack.client().submitDiagnostic({ caller: unpaid, requestKey: 'd' }),
    ];
    for (const call of calls) expect(await codeOf(call)).toBe(FailureCode.SUBSCRIPTION_REQUIRED);
  }
});

test('a caller with a bearer in the headers is authenticated before the message is read, and pays as with one in the message', async () => {
  stack.record.addCompanies(1);
  const request = { requestKey: 'k', input: { query: 'a' } };
  const anyone = stack.client(stack.first, '');
  const shown = (bearer: string) => ({ headers: { authorization: `Bearer ${bearer}` } });
  const first = answerOf(await anyone.submitCompanySearch(request, shown('key-1')));
  expect((await stack.submit({ ...request, caller })).usage.id).toBe(first.usage.id);
  expect(await codeOf(anyone.submitCompanySearch(request, shown('nobody')))).toBe(FailureCode.INVALID_API_KEY);
  const named = anyone.submitCompanySearch({ ...request, caller }, shown('key-1'));
  expect(await codeOf(named)).toBe(FailureCode.CALLER_NOT_ALLOWED);
  const large = { ...request, input: { query: 'a'.repeat(300 * 1024) } };
  await expect(anyone.submitCompanySearch(large, shown('key-1'))).rejects.toMatchObject({
    code: Code.ResourceExhausted,
  });
});

test('test credentials get scripted outcomes for exact queries', async () => {
  stack.record.addCompanies(2);
  const sandbox = callerOfAccount(9n, { testMode: true });
  const run = (query: string) => stack.submit({ caller: sandbox, requestKey: query, input: { query }, waitMs: 2_000 });
  expect(outcomeOf(await run('sandbox:planning_unavailable'), 'failed').code).toBe(FailureCode.PLANNING_UNAVAILABLE);
  expect(outcomeOf(await run('sandbox:failed'), 'failed').code).toBe(FailureCode.SEARCH_FAILED);
  expect(await codeOf(run('sandbox:limit_reached'))).toBe(FailureCode.REQUEST_LIMIT_REACHED);
  expect(
    await stack.submit({ caller: sandbox, requestKey: 's', input: { query: 'sandbox:slow' }, waitMs: 50 }),
  ).toMatchObject({
    outcome: { case: 'pending' },
  });
  expect(await stack.submit({ requestKey: 'live', input: { query: 'sandbox:failed' } })).toMatchObject({
    outcome: { case: 'companySearch' },
  });
});
