import { FailureCode } from '@ces/chassis/rpc/failure';
import { Status } from '@ces/proto/ces/operations/v1/operations_pb.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { codeOf, companyIds, outcomeOf } from '../../test-support/expect.ts';
import { callerOfAccount, Stack } from '../../test-support/stack.ts';

let stack: Stack;

beforeEach(async () => {
  stack = await Stack.forTest();
});
afterEach(async () => {
  await stack[Symbol.asyncDispose]();
});

test('pages partition the shortlist, cost one by one, and plan and rank nothing', async () => {
  stack.record.addCompanies(23);
  const input = { query: 'a', limit: 10, target: 23 };
  const first = outcomeOf(await stack.submit({ requestKey: 'p1', input }), 'companySearch');
  expect(first.coverage).toMatchObject({ stopReason: 'target_reached', targetCompanies: 23, availableCompanies: 23 });
  expect(first.candidateLimit).toBe(100);
  const second = outcomeOf(
    await stack.submit({ requestKey: 'p2', input: { ...input, cursor: first.nextCursor } }),
    'companySearch',
  );
  expect(second.coverage).toMatchObject({
    ...first.coverage,
    stopReason: 'shortlist_page',
    returnedCompanies: 10,
  });
  expect(second).toMatchObject({ asOf: first.asOf, candidateLimit: 100 });
  const last = await stack.submit({
    requestKey: 'p3',
    input: { ...input, cursor: second.nextCursor },
    background: true,
  });
  const third = outcomeOf(await stack.untilStatus(last.usage.id, Status.DELIVERED), 'companySearch');
  expect([first, second, third].flatMap(companyIds)).toEqual(Array.from({ length: 23 }, (_, index) => index + 1));
  expect(third.nextCursor).toBeUndefined();
  expect(stack.search.calls).toEqual(['planAndSearch']);
  expect([...stack.ledger.postings.values()].map((movement) => movement.delivered)).toEqual([10n, 10n, 3n]);
  const replay = outcomeOf(await stack.submit({ requestKey: 'p1', input }), 'companySearch');
  expect(replay.nextCursor).toBe(first.nextCursor);
});

test('a cursor that cannot be used is refused, costs nothing and leaves the request key free', async () => {
  stack.record.addCompanies(5);
  const input = { query: 'a', limit: 2 };
  const { nextCursor: cursor = '' } = outcomeOf(await stack.submit({ requestKey: 'first', input }), 'companySearch');
  const wrong = [
    { query: 'b', limit: 2, cursor },
    { query: 'a', limit: 3, cursor },
    { query: 'a', limit: 2, target: 2, cursor },
    { query: 'a', limit: 2, cursor: `${cursor}A` },
    { query: 'a', limit: 2, cursor: '' },
  ];
  for (const input of wrong)
    expect(await codeOf(stack.submit({ requestKey: 'next', input }))).toBe(FailureCode.INVALID_CURSOR);
  const foreign = stack.submit({ requestKey: 'next', input: { ...input, cursor }, caller: callerOfAccount(2n) });
  expect(await codeOf(foreign)).toBe(FailureCode.INVALID_CURSOR);
  expect(await stack.countOperations()).toBe(1);
  expect(
    companyIds(outcomeOf(await stack.submit({ requestKey: 'next', input: { ...input, cursor } }), 'companySearch')),
  ).toEqual([3, 4]);
  await stack.db.query(`update shortlist set expires_at = clock_timestamp()`);
  expect(await codeOf(stack.submit({ requestKey: 'later', input: { ...input, cursor } }))).toBe(
    FailureCode.INVALID_CURSOR,
  );
  expect(await stack.submit({ requestKey: 'next', input: { ...input, cursor } })).toMatchObject({ replayed: true });
});

test('the largest page of the plan is checked only for new work', async () => {
  stack.record.addCompanies(3);
  const request = { requestKey: 'k', input: { query: 'a', limit: 25 } };
  expect(await codeOf(stack.submit({ ...request, input: { query: 'a', limit: 26 } }))).toBe(FailureCode.INVALID_SEARCH);
  await stack.submit(request);
  const downgraded = callerOfAccount(1n, { pageLimit: 10 });
  expect(await stack.submit({ ...request, caller: downgraded })).toMatchObject({ replayed: true });
  expect(await codeOf(stack.submit({ ...request, requestKey: 'new', caller: downgraded }))).toBe(
    FailureCode.INVALID_SEARCH,
  );
});

test('companies that were not deliverable when the search ran are neither charged nor counted, and never returned later', async () => {
  stack.record.addCompanies(6);
  for (const id of [10n, 30n]) stack.record.withdraw(id);
  const request = { requestKey: 'k', input: { query: 'a', limit: 3 } };
  const first = await stack.submit(request);
  const result = outcomeOf(first, 'companySearch');
  expect(companyIds(result)).toEqual([2, 4, 5]);
  expect([result.withheldUnits, first.usage.units?.deliveredUnits]).toEqual([0n, 3n]);
  stack.record.withdraw(10n, false);
  expect(companyIds(outcomeOf(await stack.submit(request), 'companySearch'))).toEqual([2, 4, 5]);
  const next = await stack.submit({ requestKey: 'n', input: { ...request.input, cursor: result.nextCursor } });
  expect(companyIds(outcomeOf(next, 'companySearch'))).toEqual([6]);
});

test('a merged company is passed over on a new page and withheld on a replay', async () => {
  stack.record.addCompanies(6);
  const input = { query: 'a', limit: 2 };
  const first = outcomeOf(await stack.submit({ requestKey: 'p1', input }), 'companySearch');
  const page2 = { requestKey: 'p2', input: { ...input, cursor: first.nextCursor } };
  const second = outcomeOf(await stack.submit(page2), 'companySearch');
  expect(companyIds(second)).toEqual([3, 4]);
  stack.record.canonicalIds.set(4n, 1n);
  stack.record.canonicalIds.set(5n, 2n);
  const replay = outcomeOf(await stack.submit(page2), 'companySearch');
  expect(companyIds(replay)).toEqual([3]);
  expect(replay.withheldUnits).toBe(1n);
  const third = await stack.submit({ requestKey: 'p3', input: { ...input, cursor: second.nextCursor } });
  expect(companyIds(outcomeOf(third, 'companySearch'))).toEqual([6]);
  stack.record.canonicalIds.set(4n, 4n);
  expect(companyIds(outcomeOf(await stack.submit(page2), 'companySearch'))).toEqual([3, 4]);
});

test('a cursor that no page delivered withholds no paid company and excludes none from a new page', async () => {
  stack.record.addCompanies(8);
  for (const id of [10n, 40n]) stack.record.withdraw(id);
  const input = { query: 'a', limit: 2 };
  const page1 = { requestKey: 'p1', input };
  const first = outcomeOf(await stack.submit(page1), 'companySearch');
  expect(companyIds(first)).toEqual([2, 3]);
  const page2 = { requestKey: 'p2', input: { ...input, cursor: first.nextCursor } };
  const second = outcomeOf(await stack.submit(page2), 'companySearch');
  expect(companyIds(second)).toEqual([5, 6]);
  const page3 = { requestKey: 'p3', input: { ...input, cursor: second.nextCursor } };
  for (const [merged, into, page] of [
    [1n, 2n, page1],
    [1n, 5n, page2],
    [4n, 6n, page2],
  ] as const) {
    stack.record.canonicalIds.set(merged, into);
    const replay = outcomeOf(await stack.submit(page), 'companySearch');
    expect([companyIds(replay), replay.withheldUnits]).toEqual([companyIds(page === page1 ? first : second), 0n]);
  }
  stack.record.canonicalIds.set(1n, 7n);
  expect(companyIds(outcomeOf(await stack.submit(page3), 'companySearch'))).toEqual([7, 8]);
  expect(companyIds(outcomeOf(await stack.submit(page3), 'companySearch'))).toEqual([7, 8]);
});

test('an undeliverable position does not exclude a later one of the same company', async () => {
  stack.record.addCompanies(3);
  stack.record.withdraw(10n);
  stack.record.canonicalIds.set(1n, 2n);
  const first = outcomeOf(await stack.submit({ requestKey: 'k', input: { query: 'a', limit: 2 } }), 'companySearch');
  expect(companyIds(first)).toEqual([2, 3]);
});

test('a company is withheld as merged only while an earlier position shows it', async () => {
  stack.record.addCompanies(4);
  const input = { query: 'a', limit: 2 };
  const page1 = { requestKey: 'p1', input };
  const first = outcomeOf(await stack.submit(page1), 'companySearch');
  const page2 = { requestKey: 'p2', input: { ...input, cursor: first.nextCursor } };
  await stack.submit(page2);
  stack.record.canonicalIds.set(1n, 4n);
  stack.record.canonicalIds.set(2n, 3n);
  const shown = async (page: typeof page1) => companyIds(outcomeOf(await stack.submit(page), 'companySearch'));
  expect([await shown(page1), await shown(page2)]).toEqual([[4, 3], []]);
  stack.record.withdraw(10n);
  expect([await shown(page1), await shown(page2)]).toEqual([[3], [4]]);
  stack.record.withdraw(20n);
  expect([await shown(page1), await shown(page2)]).toEqual([[], [3, 4]]);
});
