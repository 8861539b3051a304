import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mapInOrder } from './in-order.ts';

async function* from<T>(items: readonly T[], error?: Error): AsyncGenerator<T> {
  yield* items;
  if (error) throw error;
}

test('results come in the order of the items, however long each takes, with no more calls than the limit under way', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      fc.array(fc.nat(), { maxLength: 20 }),
      fc.integer({ min: 1, max: 5 }),
      async (scheduler, items, limit) => {
        let underWay = 0;
        const results: number[] = [];
        const reading = (async () => {
          for await (const result of mapInOrder(from(items), limit, async (item) => {
            underWay += 1;
            expect(underWay).toBeLessThanOrEqual(limit);
            await scheduler.schedule(Promise.resolve());
            underWay -= 1;
            return item * 2;
          }))
            results.push(result);
        })();
        await scheduler.waitFor(reading);
        expect(results).toEqual(items.map((item) => item * 2));
      },
    ),
  );
});

test('items read before a failure are still mapped and yielded', async () => {
  const results: number[] = [];
  const reading = (async () => {
    for await (const result of mapInOrder(from([1, 2, 3], new Error('line 4')), 2, async (item) => item))
      results.push(result);
  })();
  await expect(reading).rejects.toThrow('line 4');
  expect(results).toEqual([1, 2, 3]);
});

test('after a failed call no further item is started, and calls in flight are yielded', async () => {
  const results: number[] = [];
  const asked: number[] = [];
  const reading = (async () => {
    for await (const result of mapInOrder(from([1, 2, 3, 4, 5, 6]), 3, async (item) => {
      asked.push(item);
      if (item === 2) throw new Error('refused');
      return item;
    }))
      results.push(result);
  })();
  await expect(reading).rejects.toThrow('refused');
  expect(results).toEqual([1, 3, 4]);
  expect(asked).not.toContain(6);
});
