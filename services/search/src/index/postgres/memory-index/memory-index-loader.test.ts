import { setTimeout as pause, setImmediate as soon } from 'node:timers/promises';
import type { Pool } from '@ces/chassis/postgres/pool';
import { expect, test } from 'vitest';
import { createMemoryIndexLoader } from './memory-index-loader.ts';

function versionRow(version: bigint) {
  return { rows: [{ version, origin: 'one', tx: null, seq: null, epoch: null, kept_from: null, now: 0 }] };
}

/**
 * This fake database always changed by more than the change log keeps. It reads a page when `read`
 * resolves.
 */
function runningAway(read: Promise<void>) {
  const seen = { version: 0n, readings: 0 };
  const query = async (what: string | { text: string }) => {
    const text = typeof what === 'string' ? what : what.text;
    if (text.includes('from index_change')) return { rows: [{ versions: -1n, observations: [], companies: [] }] };
    if (text.includes('index_version')) {
      seen.version += 1n;
      return versionRow(seen.version);
    }
    if (text === 'commit') return { rows: [], command: 'COMMIT' };
    if (text.includes('order by company_id')) {
      seen.readings += 1;
      await read;
    }
    return { rows: [] };
  };
  const client = { query, release: () => undefined };
  return { seen, pool: { query, connect: async () => client } as unknown as Pool };
}

async function answersAtOnce(finding: Promise<unknown>): Promise<boolean> {
  let isAnswered = false;
  void finding.then(() => {
    isAnswered = true;
  });
  await soon();
  return isAnswered;
}

test('while the index runs away, reading rests nine times as long as it took, and searches do not wait', async () => {
  const { promise: read, resolve: endReading } = Promise.withResolvers<void>();
  const { seen, pool } = runningAway(read);
  const loader = createMemoryIndexLoader({
    pool,
    mostBytes: 1_000_000,
    onFailure: (error) => expect.unreachable(String(error)),
  });
  const find = () => loader.findAtLeast({ version: seen.version, origin: 'one' });
  const first = find();
  await expect.poll(() => seen.readings).toBe(1);
  const begunAt = performance.now();
  await pause(40);
  const endedAt = performance.now();
  endReading();
  expect(await first).toBeUndefined();
  for (;;) {
    const isAnswered = await answersAtOnce(find());
    if (seen.readings > 1) break;
    expect(isAnswered).toBe(true);
    await pause(10);
  }
  expect(performance.now() - endedAt).toBeGreaterThanOrEqual(9 * (endedAt - begunAt));
});

test('an index that is too large is not read again and again', async () => {
  const { seen, pool } = runningAway(Promise.resolve());
  const loader = createMemoryIndexLoader({
    pool,
    mostBytes: -1,
    onFailure: (error) => expect.unreachable(String(error)),
  });
  for (let search = 0; search < 5; search += 1) {
    expect(await loader.findAtLeast({ version: seen.version, origin: 'one' })).toBeUndefined();
    await pause(20);
  }
  expect(seen.version).toBe(1n);
});

/** In this fake database each version changes this many documents and a read takes 300 ms. */
function changing(documents: number) {
  const seen = { version: 1n, catchingUp: 0, begunAt: 0, endedAt: 0 };
  const ids = Array.from({ length: documents }, (_, at) => String(at + 1));
  const query = async (what: string | { text: string }, values: readonly bigint[] = []) => {
    const text = typeof what === 'string' ? what : what.text;
    if (text.includes('from index_change')) {
      const [from = 0n, to = 0n] = values;
      return { rows: [{ versions: to - from, observations: to > from ? ids : [], companies: [] }] };
    }
    if (text.includes('index_version')) return versionRow(seen.version);
    if (text === 'commit') return { rows: [], command: 'COMMIT' };
    if (text.includes('i.observation_id = any')) {
      seen.catchingUp += 1;
      seen.begunAt = performance.now();
      await pause(300);
      seen.endedAt = performance.now();
    }
    return { rows: [] };
  };
  const client = { query, release: () => undefined };
  const pool = { query, connect: async () => client } as unknown as Pool;
  const loader = createMemoryIndexLoader({
    pool,
    mostBytes: 1_000_000,
    onFailure: (error) => expect.unreachable(String(error)),
  });
  const find = () => loader.findAtLeast({ version: seen.version, origin: 'one' });
  return {
    seen,
    find,
    async found() {
      while (!(await find())) await pause(10);
    },
  };
}

test('catching up with a few changes is begun again at once, however long it takes', async () => {
  const { seen, find, found } = changing(3);
  await found();
  for (let round = 1; round <= 3; round += 1) {
    seen.version += 1n;
    const finding = find();
    await expect.poll(() => seen.catchingUp).toBe(round);
    await finding;
    await found();
  }
});

test('catching up with many rests as long as it took, and a search does not wait meanwhile', async () => {
  const { seen, find, found } = changing(300);
  await found();
  seen.version += 1n;
  await found();
  const { begunAt, endedAt } = seen;
  seen.version += 1n;
  for (;;) {
    const isAnswered = await answersAtOnce(find());
    if (seen.catchingUp > 1) break;
    expect(isAnswered).toBe(true);
    await pause(10);
  }
  expect(seen.begunAt - endedAt).toBeGreaterThanOrEqual(endedAt - begunAt);
});
