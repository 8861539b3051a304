import { expect, test } from 'vitest';
import { shareRefreshes } from './shared-refresh.ts';

test('whoever comes while one is under way, or just after it began, shares the next with all others who wait', async () => {
  const refreshed: { readonly index: string[]; readonly atMs: number }[] = [];
  const underWay = Promise.withResolvers<void>();
  const refresh = shareRefreshes(async (index) => {
    refreshed.push({ index, atMs: performance.now() });
    await underWay.promise;
  });
  const first = refresh(['a']);
  await expect.poll(() => refreshed).toHaveLength(1);
  const others = [refresh(['b', 'a']), refresh(['c'])];
  underWay.resolve();
  await first;
  others.push(refresh(['c']));
  await Promise.all(others);
  expect(refreshed.map(({ index }) => index)).toEqual([['a'], ['a', 'b', 'c']]);
  const [one, two] = refreshed;
  expect((two?.atMs ?? 0) - (one?.atMs ?? 0)).toBeGreaterThanOrEqual(100);
});

test('a refresh that fails fails for those who wait for it, and for nobody after them', async () => {
  let times = 0;
  const refresh = shareRefreshes(async () => {
    times += 1;
    if (times === 1) throw new Error('away');
  });
  const both = await Promise.allSettled([refresh(['a']), refresh(['a'])]);
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  await refresh(['a']);
  expect(times).toBe(2);
});

test('nothing to make visible waits for nothing', async () => {
  const refresh = shareRefreshes(async () => {
    throw new Error('not asked for');
  });
  await refresh([]);
});
