import { FailureCode, fail } from '@ces/chassis/rpc/failure';
import { afterEach, expect, test } from 'vitest';
import { callerOfAccount, Stack } from '../../test-support/stack.ts';

let stack: Stack;

afterEach(async () => {
  await stack[Symbol.asyncDispose]();
});

function watchLedger(): string[] {
  const seen: string[] = [];
  stack.ledger.before = async (method, operationId) => {
    if (method === 'getAllowance') return;
    const { rows } = await stack.db.query<{ state: string }>('select state from operation where id = $1', [
      operationId,
    ]);
    seen.push(`${method} at ${rows[0]?.state}`);
  };
  return seen;
}

test('units are held once the intent is written, and settled once the result is', async () => {
  stack = await Stack.forTest();
  stack.record.addCompanies(2);
  const seen = watchLedger();
  await stack.submit({ requestKey: 'k', input: { query: 'a' } });
  expect(seen).toEqual(['reserve at created', 'settle at stored']);
});

test('units are charged once the result is written', async () => {
  stack = await Stack.forTest();
  stack.record.addCompanies(2);
  const seen = watchLedger();
  await stack.client().submitCompanyLookup({ caller: callerOfAccount(), requestKey: 'k', input: { ids: [1n, 2n] } });
  expect(seen).toEqual(['charge at stored']);
});

test('units are released once the failure is written', async () => {
  stack = await Stack.forTest({ CES_OPERATIONS_SWEEP_INTERVAL_MS: '600000' });
  const seen = watchLedger();
  stack.search.before = () => {
    throw fail(FailureCode.PLANNING_UNAVAILABLE, 'no plan');
  };
  await stack.submit({ requestKey: 'k', input: { query: 'a' } });
  expect(seen).toEqual(['reserve at created', 'release at failing']);
});
