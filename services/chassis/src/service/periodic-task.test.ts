import { expect, test } from 'vitest';
import { createLogger } from '../telemetry/log.ts';
import { type PeriodicTaskOptions, startPeriodicTask } from './periodic-task.ts';

const NEVER_MS = 3_600_000;

function startTask(options: Pick<PeriodicTaskOptions, 'run'> & Partial<PeriodicTaskOptions>, lines: string[] = []) {
  const logger = createLogger('test', 'warn', { write: (line) => void lines.push(line) });
  return startPeriodicTask({ name: 'count', everyMs: NEVER_MS, logger, ...options });
}

test('a pass follows the end of the one before it', async () => {
  let passes = 0;
  const count = async () => {
    passes += 1;
  };
  await using _task = startTask({ everyMs: 1, jitter: 1, run: count });
  await expect.poll(() => passes).toBeGreaterThan(2);
});

test('without an immediate start the task waits, and a wake-up ends the wait', async () => {
  let passes = 0;
  const count = async () => {
    passes += 1;
  };
  await using task = startTask({ run: count });
  expect(passes).toBe(0);
  task.wake();
  expect(passes).toBe(1);
});

test('the duration of a pass is logged', async () => {
  const lines: string[] = [];
  const logger = createLogger('test', 'debug', { write: (line) => void lines.push(line) });
  await using _task = startTask({ logger, immediately: true, run: async () => {} });
  await expect.poll(() => lines.length).toBeGreaterThan(0);
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    msg: 'pass ended',
    task: 'count',
    duration_ms: expect.any(Number),
  });
});

test('wake-ups during a pass share the one that follows, and no two passes run at once', async () => {
  let running = 0;
  let passes = 0;
  const waiting: (() => void)[] = [];
  await using task = startTask({
    immediately: true,
    run: async () => {
      running += 1;
      passes += 1;
      expect(running).toBe(1);
      await new Promise<void>((resolve) => waiting.push(resolve));
      running -= 1;
    },
  });
  for (let wakes = 0; wakes < 5; wakes += 1) task.wake();
  waiting.shift()?.();
  await expect.poll(() => waiting.length).toBe(1);
  waiting.shift()?.();
  await expect.poll(() => running).toBe(0);
  expect(passes).toBe(2);
});

test('a pass that fails is logged and followed by the next', async () => {
  const lines: string[] = [];
  let passes = 0;
  const run = async () => {
    passes += 1;
    if (passes === 1) throw new Error('first time');
  };
  await using _task = startTask({ everyMs: 1, immediately: true, run }, lines);
  await expect.poll(() => passes).toBeGreaterThan(1);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain('count broken off; the next pass follows');
});

test('disposal aborts the present pass, waits for its end, and does not log it', async () => {
  const lines: string[] = [];
  let ended = false;
  const task = startTask(
    {
      immediately: true,
      run: async (signal) => {
        await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
        await new Promise(setImmediate);
        ended = true;
        signal.throwIfAborted();
      },
    },
    lines,
  );
  await task[Symbol.asyncDispose]();
  expect(ended).toBe(true);
  task.wake();
  expect(lines).toEqual([]);
});
