import { expect, test } from 'vitest';
import { KeyedBatcher } from './keyed-batcher.ts';

interface Call {
  readonly identity: bigint;
}

class Runs {
  readonly batches: (readonly Call[])[] = [];
  readonly #ends: (() => void)[] = [];

  run = async (_queueId: bigint, calls: readonly Call[]): Promise<readonly (bigint | Error)[]> => {
    this.batches.push(calls);
    await new Promise<void>((resolve) => this.#ends.push(resolve));
    return calls.map(({ identity }) => (identity < 0n ? new Error('refused') : identity));
  };

  end(): void {
    this.#ends.shift()?.();
  }

  sizes(): readonly number[] {
    return this.batches.map((batch) => batch.length);
  }
}

function createBatcher(options: { maxBatch?: number } = {}) {
  const runs = new Runs();
  const batcher = new KeyedBatcher<Call, bigint>({
    ...options,
    run: runs.run,
    identityOf: ({ identity }) => identity,
    overflow: () => new Error('too many wait'),
  });
  return { runs, add: (identity: bigint, queueId = 1n) => batcher.add(queueId, { identity }) };
}

async function endOfTurn(): Promise<void> {}

test('a lone call runs with the end of its turn, and calls of one turn share a run', async () => {
  const { runs, add } = createBatcher();
  void add(1n);
  await endOfTurn();
  expect(runs.sizes()).toEqual([1]);
  for (const identity of [2n, 3n]) void add(identity, 2n);
  await endOfTurn();
  expect(runs.sizes()).toEqual([1, 2]);
});

test('calls that find their queue busy share the next run, in order', async () => {
  const { runs, add } = createBatcher();
  const first = add(1n);
  await endOfTurn();
  const calls = [2n, 3n, 4n].map((identity) => add(identity));
  await endOfTurn();
  expect(runs.sizes()).toEqual([1]);
  runs.end();
  await first;
  expect(runs.batches[1]?.map(({ identity }) => identity)).toEqual([2n, 3n, 4n]);
  runs.end();
  expect(await Promise.all(calls)).toEqual([2n, 3n, 4n]);
});

test('behind a slow run, calls wait a few milliseconds and not for its end', async () => {
  const { runs, add } = createBatcher();
  void add(1n);
  await endOfTurn();
  for (const identity of [2n, 3n]) void add(identity);
  await expect.poll(() => runs.sizes(), { interval: 1 }).toEqual([1, 2]);
});

test('a full batch does not wait, and two runs of a key are the most', async () => {
  const { runs, add } = createBatcher({ maxBatch: 2 });
  for (let identity = 1n; identity <= 20n; identity += 1n) void add(identity);
  expect(runs.sizes()).toEqual([2, 2]);
  await endOfTurn();
  expect(runs.sizes()).toEqual([2, 2]);
});

test('keys do not wait for one another', async () => {
  const { runs, add } = createBatcher();
  for (const key of [1n, 2n, 3n]) void add(key, key);
  await endOfTurn();
  expect(runs.sizes()).toEqual([1, 1, 1]);
});

test('calls of one identity never share a run', async () => {
  const { runs, add } = createBatcher();
  const calls = [1n, 7n, 7n, 8n].map((identity) => add(identity));
  await endOfTurn();
  runs.end();
  await calls[0];
  expect(runs.batches.map((batch) => batch.map(({ identity }) => identity))).toEqual([[1n, 7n, 8n], [7n]]);
});

test('an error of one call is its own', async () => {
  const { runs, add } = createBatcher();
  const calls = [1n, -2n, 3n].map((identity) => add(identity));
  const settled = Promise.allSettled(calls);
  await endOfTurn();
  runs.end();
  expect((await settled).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
});

test('a queue that is too long refuses the next call', async () => {
  const { add } = createBatcher();
  const inTwoRuns = 2n * 200n;
  for (let identity = 1n; identity <= 2_000n + inTwoRuns; identity += 1n) void add(identity).catch(() => undefined);
  await expect(add(9_999n)).rejects.toThrow('too many wait');
});
