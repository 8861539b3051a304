import { expect, test } from 'vitest';
import { type RetryOptions, retry } from './retry.ts';

const QUICK = { attempts: 3, firstPauseMs: 1 };

function failing(times: number, error = new Error('on purpose')) {
  let attempts = 0;
  const work = async () => {
    attempts += 1;
    if (attempts <= times) throw error;
    return 'done';
  };
  return { work, attempts: () => attempts };
}

test('work that fails is tried again, at most so many times', async () => {
  const twice = failing(2);
  await expect(retry(twice.work, QUICK)).resolves.toBe('done');
  expect(twice.attempts()).toBe(3);
  const always = failing(9);
  await expect(retry(always.work, QUICK)).rejects.toThrow('on purpose');
  expect(always.attempts()).toBe(3);
});

test('an error that is not worth another attempt is not retried', async () => {
  const once = failing(1);
  await expect(retry(once.work, { ...QUICK, retryIf: () => false })).rejects.toThrow('on purpose');
  expect(once.attempts()).toBe(1);
});

test('whether a mistake of the code is worth another attempt is for the caller to say', async () => {
  const mistaken = failing(1, new TypeError('a field is missing'));
  await expect(retry(mistaken.work, QUICK)).resolves.toBe('done');
  const seen: unknown[] = [];
  const retryIf = (error: unknown) => seen.push(error) < 0;
  await expect(retry(failing(1, new TypeError('a field is missing')).work, { ...QUICK, retryIf })).rejects.toThrow(
    TypeError,
  );
  expect(seen).toEqual([new TypeError('a field is missing')]);
});

test('an attempt that succeeds counts although the signal aborted meanwhile', async () => {
  const closing = new AbortController();
  const work = async () => {
    closing.abort();
    return 'connected';
  };
  await expect(retry(work, { ...QUICK, signal: closing.signal })).resolves.toBe('connected');
});

test('a pause that the other side asks for is kept to', async () => {
  const began = performance.now();
  await retry(failing(1).work, { ...QUICK, askedPauseMs: () => 60 });
  expect(performance.now() - began).toBeGreaterThanOrEqual(59);
});

test('every failed attempt is reported, including the last', async () => {
  const failures: number[] = [];
  const options: RetryOptions = { ...QUICK, onFailure: (_error, attempt) => failures.push(attempt) };
  await expect(retry(failing(9).work, options)).rejects.toThrow();
  expect(failures).toEqual([1, 2, 3]);
});

test('an aborted signal ends a pause, and no attempt follows', async () => {
  for (const asked of [undefined, 3_600_000]) {
    const closing = new AbortController();
    const always = failing(9);
    const options = { attempts: Number.POSITIVE_INFINITY, firstPauseMs: 3_600_000, signal: closing.signal };
    const running = retry(always.work, { ...options, askedPauseMs: () => asked });
    await expect.poll(always.attempts).toBe(1);
    closing.abort(new Error('closing'));
    await expect(running).rejects.toThrow();
    expect(always.attempts()).toBe(1);
  }
});
