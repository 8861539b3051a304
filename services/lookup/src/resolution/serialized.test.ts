import { expect, test } from 'vitest';
import { createSerializedQueue } from './serialized.ts';

test('work runs in order, one at a time, and goes on after a failure', async () => {
  const serialized = createSerializedQueue();
  const events: string[] = [];
  const work = (name: string) => async () => {
    events.push(`${name} begins`);
    await new Promise((resolve) => setImmediate(resolve));
    events.push(`${name} ends`);
    if (name === 'b') throw new Error('b failed');
    return name;
  };
  const outcomes = await Promise.allSettled(['a', 'b', 'c'].map((name) => serialized(work(name))));
  expect(outcomes.map((outcome) => outcome.status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(events).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
});

test('a request that would wait for a hundred others is refused at once', async () => {
  const serialized = createSerializedQueue();
  const gate = Promise.withResolvers<void>();
  const waiting = Array.from({ length: 100 }, () => serialized(() => gate.promise));
  await expect(serialized(async () => undefined)).rejects.toThrow('Too many writes wait');
  gate.resolve();
  await Promise.all(waiting);
  await expect(serialized(async () => 'again')).resolves.toBe('again');
});
