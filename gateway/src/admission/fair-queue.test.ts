import { expect, test } from 'vitest';
import { FairQueue } from './fair-queue.ts';

const noneRunning = () => 0;
const one = () => 1;

function queueOf(items: readonly (readonly [bigint, string])[]): FairQueue<string> {
  const queue = new FairQueue<string>();
  for (const [accountId, item] of items) queue.add(accountId, item);
  return queue;
}

test('accounts take turns, each in its own order', () => {
  const queue = queueOf([
    [1n, 'a1'],
    [1n, 'a2'],
    [1n, 'a3'],
    [2n, 'b1'],
    [2n, 'b2'],
  ]);
  const taken = Array.from({ length: 6 }, () => queue.take(noneRunning, one));
  expect(taken).toEqual(['a1', 'b1', 'a2', 'b2', 'a3', undefined]);
});

test('the account with the fewest running is first', () => {
  const queue = queueOf([
    [1n, 'a'],
    [2n, 'b'],
    [3n, 'c'],
  ]);
  const running = new Map([
    [1n, 2],
    [2n, 1],
    [3n, 3],
  ]);
  const take = () =>
    queue.take(
      (account) => running.get(account) ?? 0,
      () => 3,
    );
  expect([take(), take(), take()]).toEqual(['b', 'a', undefined]);
  expect(queue.size).toBe(1);
});

test('an account at its limit of running calls is skipped', () => {
  const queue = queueOf([
    [1n, 'a'],
    [2n, 'b'],
  ]);
  const most = new Map([[2n, 2]]);
  const take = () =>
    queue.take(
      (account) => (account === 2n ? 1 : 0),
      (account) => most.get(account) ?? 0,
    );
  expect([take(), take()]).toEqual(['b', undefined]);
});

test('says how long the line of an account is and how many accounts have one', () => {
  const queue = new FairQueue<string>();
  expect([queue.lengthOf(1n), queue.accountsWith(1n)]).toEqual([0, 1]);
  queue.add(1n, 'a');
  queue.add(1n, 'b');
  queue.take(noneRunning, one);
  expect([queue.lengthOf(1n), queue.accountsWith(1n), queue.accountsWith(2n)]).toEqual([1, 1, 2]);
  queue.take(noneRunning, one);
  expect([queue.lengthOf(1n), queue.accountsWith(2n)]).toEqual([0, 1]);
});
