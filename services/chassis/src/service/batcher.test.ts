import { setImmediate as endOfTurn, setTimeout as pause } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { recordTraces } from '../../test-support/recorded-traces.ts';
import { FailureCode, failureOf } from '../failure.ts';
import { inSpan } from '../telemetry/span.ts';
import { type BatchEntry, Batcher, type BatcherOptions, BatchTimeout, settleInOrder } from './batcher.ts';

type Options = Partial<BatcherOptions<number, number>>;

interface Run {
  readonly items: readonly number[];
  readonly entries: readonly BatchEntry<number, number>[];
  /** Answers every item with itself. */
  readonly end: () => void;
  readonly fail: (error: Error) => void;
  readonly release: () => void;
}

function createBatcher(options: Options = {}) {
  const runs: Run[] = [];
  const batcher = new Batcher<number, number>({
    maxItems: 100,
    run: async (entries, release) => {
      const { promise, resolve: end, reject: fail } = Promise.withResolvers<void>();
      const items = entries.map(({ item }) => item);
      runs.push({ items, entries, end, fail, release });
      await promise;
      settleInOrder(entries, items);
    },
    ...options,
  });
  const add = (...items: readonly number[]) => items.map((item) => batcher.add(item));
  return { batcher, runs, add, batches: () => runs.map(({ items }) => items) };
}

async function statusesOf(results: readonly Promise<number>[]): Promise<string[]> {
  return (await Promise.allSettled(results)).map(({ status }) => status);
}

test('an item runs at the end of its turn, and items of one turn share a batch', async () => {
  const { add, batches } = createBatcher({ maxWaitMs: 0 });
  add(1);
  await endOfTurn();
  expect(batches()).toEqual([[1]]);
  add(2);
  await Promise.resolve();
  add(3);
  await endOfTurn();
  expect(batches()).toEqual([[1], [2, 3]]);
});

test('items that find a batch running share the next one, in order', async () => {
  const { add, runs, batches } = createBatcher();
  const [first] = add(1);
  await endOfTurn();
  const others = add(2, 3, 4);
  await pause(20);
  expect(batches()).toEqual([[1]]);
  runs[0]?.end();
  expect(await first).toBe(1);
  await expect.poll(batches, { interval: 1 }).toEqual([[1], [2, 3, 4]]);
  runs[1]?.end();
  expect(await Promise.all(others)).toEqual([2, 3, 4]);
});

test('items after a slow batch wait for the longest wait and not for its end', async () => {
  const { add, batches } = createBatcher({ maxWaitMs: 5 });
  add(1);
  await endOfTurn();
  add(2, 3);
  await expect.poll(batches, { interval: 1 }).toEqual([[1], [2, 3]]);
});

test('a full batch waits for nothing but one of the batches that may run at once', async () => {
  const { add, runs, batches } = createBatcher({ maxItems: 2, maxInFlight: 2 });
  add(1, 2, 3, 4, 5, 6, 7);
  await endOfTurn();
  await endOfTurn();
  expect(batches()).toEqual([
    [1, 2],
    [3, 4],
  ]);
  runs[1]?.end();
  await expect.poll(batches, { interval: 1 }).toHaveLength(3);
  runs[0]?.end();
  runs[2]?.end();
  await expect.poll(batches, { interval: 1 }).toEqual([[1, 2], [3, 4], [5, 6], [7]]);
});

test('the sizes of a batch have a sum of at most the limit, and a larger item has a batch of its own', async () => {
  const { add, batches } = createBatcher({ sizeOf: (item) => item, maxSize: 10, maxWaitMs: 0 });
  add(4, 6, 1, 30, 2, 3, 5, 1);
  await expect.poll(batches, { interval: 1 }).toEqual([[4, 6], [1], [30], [2, 3, 5], [1]]);
});

test('items that reach the size of a batch wait no longer for others', async () => {
  const { add, batches } = createBatcher({ sizeOf: (item) => item, maxSize: 10 });
  add(1);
  await endOfTurn();
  add(3);
  await endOfTurn();
  expect(batches()).toEqual([[1]]);
  add(7);
  await endOfTurn();
  expect(batches()).toEqual([[1], [3, 7]]);
});

test('items of one identity never share a batch, and the later one runs later', async () => {
  const { add, runs, batches } = createBatcher({ identityOf: (item) => item % 10 });
  add(1, 7, 17, 8, 27);
  await endOfTurn();
  for (let ended = 0; ended < 3; ended += 1) {
    await expect.poll(() => runs.length, { interval: 1 }).toBe(ended + 1);
    runs[ended]?.end();
  }
  expect(batches()).toEqual([[1, 7, 8], [17], [27]]);
});

test('each item has its own outcome, as soon as it is known, and the first one counts', async () => {
  const { add, runs } = createBatcher();
  const [first, second, third] = add(1, 2, 3);
  const refused = second?.catch((error: unknown) => error);
  await endOfTurn();
  runs[0]?.entries[2]?.resolve(33);
  expect(await third).toBe(33);
  runs[0]?.entries[1]?.reject(new Error('refused'));
  expect(await refused).toMatchObject({ message: 'refused' });
  runs[0]?.end();
  expect(await first).toBe(1);
});

test('an error in the place of a result is the error of its item', async () => {
  const batcher = new Batcher<number, number>({
    maxItems: 3,
    run: async (entries) => settleInOrder(entries, [1, new Error('refused'), 3]),
  });
  expect(await statusesOf([1, 2, 3].map((item) => batcher.add(item)))).toEqual(['fulfilled', 'rejected', 'fulfilled']);
});

test('a batch that fails rejects its open items only, and the next one runs', async () => {
  const { add, runs } = createBatcher({ maxItems: 2, maxInFlight: 1 });
  const statuses = statusesOf(add(1, 2, 3));
  await endOfTurn();
  runs[0]?.entries[0]?.resolve(1);
  runs[0]?.fail(new Error('the database is gone'));
  await expect.poll(() => runs.length, { interval: 1 }).toBe(2);
  runs[1]?.end();
  expect(await statuses).toEqual(['fulfilled', 'rejected', 'fulfilled']);
});

test('an item without a result is rejected, and its caller does not wait forever', async () => {
  const batcher = new Batcher<number, number>({ maxItems: 3, run: async (entries) => settleInOrder(entries, [1]) });
  const [first, second] = [batcher.add(1), batcher.add(2)];
  await expect(second).rejects.toThrow('without a result');
  expect(await first).toBe(1);
});

test('at the limit of waiting items the next one is refused as unavailable', async () => {
  const { batcher, add, runs, batches } = createBatcher({ maxInFlight: 1, maxWaiting: 3 });
  add(0);
  await endOfTurn();
  add(1, 2, 3);
  expect(failureOf(await batcher.add(4).catch((error: unknown) => error))?.code).toBe(FailureCode.SERVICE_UNAVAILABLE);
  runs[0]?.end();
  await expect.poll(batches, { interval: 1 }).toEqual([[0], [1, 2, 3]]);
});

test('an item that waits ends at its deadline or abort, is in no batch, and leaves its room to others', async () => {
  const { batcher, runs, batches } = createBatcher({ maxInFlight: 1, maxWaiting: 3, maxSize: 10, sizeOf: () => 5 });
  const running = batcher.add(1);
  await endOfTurn();
  const leaving = new AbortController();
  const late = batcher.add(2, { timeoutMs: 1 });
  const aborted = batcher.add(3, { signal: leaving.signal }).catch((error: unknown) => error);
  const patient = batcher.add(4, { timeoutMs: 60_000, signal: new AbortController().signal });
  leaving.abort(new Error('gone'));
  await expect(late).rejects.toBeInstanceOf(BatchTimeout);
  expect(await aborted).toMatchObject({ message: 'gone' });
  const last = batcher.add(5);
  runs[0]?.end();
  await expect.poll(batches, { interval: 1 }).toEqual([[1], [4, 5]]);
  runs[1]?.end();
  expect(await Promise.all([running, patient, last])).toEqual([1, 4, 5]);
});

test('an item whose caller has already left never waits', async () => {
  const { batcher, runs } = createBatcher();
  await expect(batcher.add(1, { signal: AbortSignal.abort(new Error('gone')) })).rejects.toThrow('gone');
  await endOfTurn();
  expect(runs).toEqual([]);
});

test('an item of a running batch ends at its deadline or abort; the batch sees it, and goes on for the others', async () => {
  const { batcher, runs } = createBatcher();
  const leaving = new AbortController();
  const results = [
    batcher.add(1, { timeoutMs: 20 }),
    batcher.add(2, { signal: leaving.signal }),
    batcher.add(3, { timeoutMs: 60_000 }),
  ];
  const settled = Promise.allSettled(results);
  await endOfTurn();
  leaving.abort(new Error('gone'));
  await expect(results[0]).rejects.toBeInstanceOf(BatchTimeout);
  await expect(results[1]).rejects.toThrow('gone');
  expect(runs[0]?.entries.map(({ isOpen }) => isOpen)).toEqual([false, false, true]);
  runs[0]?.end();
  expect((await settled).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled']);
});

test('a batch knows the deadline and the signal of each item', async () => {
  const { batcher, runs } = createBatcher();
  const { signal } = new AbortController();
  const before = performance.now();
  for (const options of [{ timeoutMs: 60_000, signal }, {}]) void batcher.add(1, options);
  await endOfTurn();
  const [bounded, unbounded] = runs[0]?.entries ?? [];
  expect(bounded?.signal).toBe(signal);
  expect(bounded?.deadline).toBeGreaterThanOrEqual(before + 60_000);
  expect(bounded?.deadline).toBeLessThanOrEqual(performance.now() + 60_000);
  expect([unbounded?.signal, unbounded?.deadline]).toEqual([undefined, Number.POSITIVE_INFINITY]);
  runs[0]?.end();
});

test('a released batch makes way for the next one and still answers its own items', async () => {
  const { add, runs, batches } = createBatcher({ maxInFlight: 1 });
  const [first] = add(1);
  await endOfTurn();
  const [second] = add(2);
  runs[0]?.release();
  runs[0]?.release();
  await expect.poll(batches, { interval: 1 }).toEqual([[1], [2]]);
  add(3);
  await endOfTurn();
  expect(batches()).toHaveLength(2);
  runs[1]?.end();
  runs[0]?.end();
  expect(await Promise.all([first, second])).toEqual([1, 2]);
  await expect.poll(batches, { interval: 1 }).toEqual([[1], [2], [3]]);
});

test('batches start at least the interval apart, even full ones', async () => {
  const starts: number[] = [];
  const batcher = new Batcher<number, number>({
    maxItems: 1,
    intervalMs: 40,
    run: async (entries) => {
      starts.push(performance.now());
      settleInOrder(entries, [1]);
    },
  });
  await Promise.all([1, 2, 3].map((item) => batcher.add(item)));
  const pauses = starts.slice(1).map((start, index) => start - (starts[index] ?? 0));
  expect(Math.min(...pauses)).toBeGreaterThanOrEqual(39);
});

test('disposal starts what waits at once, whatever it waits for, and ends when all have an outcome', async () => {
  const { batcher, add, runs, batches } = createBatcher({ maxInFlight: 1, intervalMs: 3_600_000 });
  const first = add(1);
  await endOfTurn();
  runs[0]?.end();
  await Promise.all(first);
  const waiting = add(2);
  let isDisposed = false;
  const disposed = batcher[Symbol.asyncDispose]().then(() => {
    isDisposed = true;
  });
  await expect.poll(batches, { interval: 1 }).toEqual([[1], [2]]);
  expect(isDisposed).toBe(false);
  runs[1]?.end();
  await disposed;
  expect(await Promise.all(waiting)).toEqual([2]);
});

test('disposal waits for a batch that was released', async () => {
  const { batcher, add, runs } = createBatcher();
  const results = add(1);
  await endOfTurn();
  runs[0]?.release();
  let isDisposed = false;
  const disposed = batcher[Symbol.asyncDispose]().then(() => {
    isDisposed = true;
  });
  await endOfTurn();
  expect(isDisposed).toBe(false);
  runs[0]?.end();
  await disposed;
  expect(await Promise.all(results)).toEqual([1]);
});

test('disposal of an idle batcher ends', async () => {
  const { batcher } = createBatcher();
  await batcher[Symbol.asyncDispose]();
});

test('it is idle when nothing runs or waits, whether items were answered or left', async () => {
  let idle = 0;
  const { batcher, add, runs } = createBatcher({
    maxInFlight: 1,
    onIdle: () => {
      idle += 1;
    },
  });
  const results = add(1, 2);
  await endOfTurn();
  const last = add(3);
  runs[0]?.end();
  await Promise.all(results);
  await expect.poll(() => runs.length, { interval: 1 }).toBe(2);
  expect(idle).toBe(0);
  runs[1]?.end();
  await Promise.all(last);
  await expect.poll(() => idle, { interval: 1 }).toBe(1);
  await batcher.add(4, { signal: AbortSignal.abort() }).catch(() => undefined);
  await expect.poll(() => idle, { interval: 1 }).toBe(2);
});

test('a batch of several runs in the trace of its first caller, with links to the others', async () => {
  await using traces = await recordTraces();
  const batcher = new Batcher<number, number>({
    maxItems: 10,
    spanName: 'write together',
    run: async (entries) => settleInOrder(entries, [1, 2]),
  });
  await Promise.all(['first', 'second'].map((name) => inSpan(name, {}, () => batcher.add(1))));
  const spans = async () => await traces.spans();
  await expect.poll(async () => (await spans()).map(({ name }) => name)).toContain('write together');
  const traceOf = async (name: string) => (await spans()).find((span) => span.name === name)?.trace_id;
  expect(await traceOf('write together')).toBe(await traceOf('first'));
  expect(await traceOf('first')).not.toBe(await traceOf('second'));
});

const step = fc.oneof(
  fc.record({ kind: fc.constant('add' as const), size: fc.integer({ min: 0, max: 12 }), leaves: fc.boolean() }),
  fc.record({ kind: fc.constantFrom('end' as const, 'fail' as const, 'turn' as const) }),
);

test('whatever happens, every item has one outcome and is in at most one batch, and batches keep their bounds', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      const limits = { maxItems: 3, maxSize: 20, maxInFlight: 2 };
      const sizes: number[] = [];
      const { batcher, runs } = createBatcher({ ...limits, sizeOf: (item) => sizes[item] ?? 0 });
      const leavers: AbortController[] = [];
      const results: Promise<number>[] = [];
      let ended = 0;
      for (const one of steps) {
        if (one.kind === 'add') {
          const leaving = new AbortController();
          if (one.leaves) leavers.push(leaving);
          sizes.push(one.size);
          results.push(batcher.add(sizes.length - 1, { signal: leaving.signal }));
          results.at(-1)?.catch(() => undefined);
        } else if (one.kind === 'turn') {
          await endOfTurn();
          leavers.shift()?.abort(new Error('gone'));
        } else if (ended < runs.length) {
          const run = runs[ended];
          ended += 1;
          if (one.kind === 'end') run?.end();
          else run?.fail(new Error('broken'));
        }
        expect(runs.length - ended).toBeLessThanOrEqual(limits.maxInFlight);
      }
      const disposed = batcher[Symbol.asyncDispose]();
      while (ended < runs.length || results.length > 0) {
        runs[ended]?.end();
        if (ended < runs.length) ended += 1;
        const open = await Promise.race([Promise.allSettled(results), endOfTurn('open' as const)]);
        if (open !== 'open') break;
      }
      await disposed;
      const inBatches = runs.flatMap(({ items }) => items);
      expect(inBatches).toEqual(inBatches.toSorted((one, other) => one - other));
      expect(new Set(inBatches).size).toBe(inBatches.length);
      for (const { items } of runs) {
        expect(items.length).toBeLessThanOrEqual(limits.maxItems);
        const size = items.reduce((sum, item) => sum + (sizes[item] ?? 0), 0);
        if (items.length > 1) expect(size).toBeLessThanOrEqual(limits.maxSize);
      }
      for (const [item, outcome] of (await Promise.allSettled(results)).entries())
        if (outcome.status === 'fulfilled') expect(outcome.value).toBe(item);
    }),
  );
});
