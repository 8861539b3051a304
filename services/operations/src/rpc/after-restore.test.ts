import { FailureCode } from '@ces/chassis/rpc/failure';
import { HoldState } from '@ces/proto/ces/ledger/v1/ledger_pb.ts';
import { Status } from '@ces/proto/ces/operations/v1/operations_pb.ts';
import { afterEach, expect, test, vi } from 'vitest';
import { codeOf } from '../../test-support/expect.ts';
import { QUICK, Stack } from '../../test-support/stack.ts';

let stack: Stack;

async function startStack(env: Readonly<Record<string, string>> = {}): Promise<void> {
  stack = await Stack.forTest({ ...QUICK, ...env });
  stack.record.addCompanies(3);
}
afterEach(async () => {
  await stack[Symbol.asyncDispose]();
});

async function search(requestKey: string): Promise<bigint> {
  const { id } = (await stack.submit({ requestKey, input: { query: 'a' } })).usage;
  await stack.untilStatus(id, Status.DELIVERED);
  await expect.poll(() => stack.stateOf(requestKey)).toBe('delivered');
  return id;
}

async function afterRestore(): Promise<{ done: Record<string, number>; unrepaired: string[] }> {
  const done: Record<string, number> = {};
  const unrepaired: string[] = [];
  for (let page = ''; ; ) {
    const { steps, nextPage } = await stack.restores.afterRestore({ page });
    for (const step of steps) {
      done[step.what] = (done[step.what] ?? 0) + Number(step.count);
      unrepaired.push(...step.unrepaired);
    }
    if (nextPage === '') return { done, unrepaired };
    page = nextPage;
  }
}

test('lost operations are released at the ledger, held or settled, and their numbers are not reused', async () => {
  await startStack();
  const kept = await search('kept');
  const lost = [kept + 10n, kept + 11n];
  const whose = { request: 1n, delivered: 3n, accountId: 1n, subscriptionId: 1001n };
  stack.ledger.postings.set(lost[0] ?? 0n, { ...whose, state: HoldState.POSTED });
  stack.ledger.postings.set(lost[1] ?? 0n, { ...whose, state: HoldState.HELD });
  const first = await afterRestore();
  expect(first.done).toMatchObject({
    'settlements of lost operations reversed': 1,
    'holds of lost operations released': 1,
    'settled again': 0,
  });
  expect(first.unrepaired).toEqual([]);
  expect(lost.map((id) => stack.ledger.postings.get(id)?.state)).toEqual([HoldState.VOID, HoldState.VOID]);
  expect(stack.ledger.postings.get(kept)?.state).toBe(HoldState.POSTED);
  expect(await search('next')).toBeGreaterThan(kept + 1_000_000n);
  const again = await afterRestore();
  expect(again.done).toMatchObject({ 'settlements of lost operations reversed': 0, 'settled again': 0 });
});

test('a lost hold that cannot be released does not end the page, and is named', async () => {
  await startStack();
  const kept = await search('kept');
  const [stuck, lost] = [kept + 10n, kept + 11n];
  for (const id of [stuck, lost])
    stack.ledger.postings.set(id, { request: 1n, delivered: 3n, subscriptionId: 1001n, state: HoldState.HELD });
  stack.ledger.before = (_, operationId) => {
    if (operationId === stuck) throw new Error('a fault of this operation');
  };
  const { unrepaired } = await afterRestore();
  expect(new Set(unrepaired)).toEqual(new Set([`operation ${stuck}`]));
  expect(stack.ledger.postings.get(lost)?.state).toBe(HoldState.VOID);
});

test('a process whose clock is three weeks fast releases lost holds', async () => {
  await startStack({ CES_OPERATIONS_RETENTION_MS: String(10 * 86_400_000) });
  const lost = (await search('kept')) + 10n;
  const whose = { request: 1n, delivered: 3n, accountId: 1n, subscriptionId: 1001n };
  stack.ledger.postings.set(lost, { ...whose, state: HoldState.POSTED });
  // Below the longest timeout of setTimeout (about 24.8 days): longer ones fire at once.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 20 * 86_400_000 });
  try {
    expect((await afterRestore()).done).toMatchObject({ 'settlements of lost operations reversed': 1 });
  } finally {
    vi.useRealTimers();
  }
});

test('every settlement is reported again to an older ledger, and refused ones are named', async () => {
  await startStack();
  const ids = [await search('a'), await search('b')] as const;
  stack.ledger.postings.delete(ids[0]);
  expect((await afterRestore()).done).toMatchObject({ 'settled again': 1 });
  stack.ledger.postings.delete(ids[1]);
  stack.ledger.deliveredLimit = 3n;
  expect((await afterRestore()).unrepaired).toEqual([`operation ${ids[1]}`]);
});

test('nothing older than the retention of the ledger is settled again', async () => {
  await startStack({ CES_OPERATIONS_RETENTION_MS: String(400 * 86_400_000) });
  const id = await search('old');
  stack.ledger.postings.delete(id);
  await stack.db.query(`update operation set created_at = created_at - interval '401 days' where id = $1`, [id]);
  expect((await afterRestore()).done).toMatchObject({
    'settled again': 0,
    'older than the ledger keeps, left alone': 1,
  });
  expect(stack.ledger.postings.has(id)).toBe(false);
});

test('settings that disagree are refused: at the start where the ledger answers, else before anything is reconciled', async () => {
  await startStack();
  stack.ledger.keptDays = 399;
  await expect(stack.startService()).rejects.toThrow('CES_LEDGER_KEPT_DAYS');
  expect(await codeOf(stack.admin.reconcileLedger({}))).toBe(FailureCode.INVALID_REQUEST);
  expect(await codeOf(afterRestore())).toBe(FailureCode.INVALID_REQUEST);
});
