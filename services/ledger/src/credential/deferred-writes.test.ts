import { createLogger } from '@ces/chassis/telemetry/log';
import { expect, test } from 'vitest';
import { createDeferredWrites } from './deferred-writes.ts';

const logger = createLogger('test', 'silent');

test('facts that come soon after a write are written together, the newest of each credential, at the latest at the end', async () => {
  const written: (readonly [bigint, string])[][] = [];
  const writes = createDeferredWrites<string>({
    name: 'writing facts',
    write: async (facts) => void written.push([...facts]),
    logger,
  });
  writes.record(1n, 'first');
  await expect.poll(() => written).toHaveLength(1);
  for (const fact of ['second', 'third']) writes.record(1n, fact);
  writes.record(2n, 'other');
  await writes[Symbol.asyncDispose]();
  expect(written).toEqual([
    [[1n, 'first']],
    [
      [1n, 'third'],
      [2n, 'other'],
    ],
  ]);
});

test('a write that fails is repeated', async () => {
  const attempts: bigint[][] = [];
  await using writes = createDeferredWrites<string>({
    name: 'writing facts',
    write: async (facts) => {
      attempts.push([...facts.keys()]);
      if (attempts.length === 1) throw new Error('the database is away');
    },
    logger,
  });
  writes.record(7n, 'fact');
  await expect.poll(() => attempts).toEqual([[7n], [7n]]);
});

test('disposal ends although no write succeeds', async () => {
  const writes = createDeferredWrites<string>({
    name: 'writing facts',
    write: () => Promise.reject(new Error('the database is away')),
    logger,
  });
  writes.record(7n, 'fact');
  await writes[Symbol.asyncDispose]();
});
