import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ConcurrencyLimiter } from './concurrency-limiter.ts';

const settings = {
  leastCallsAtWork: 2,
  callsInFlight: 1_000,
  latencyTolerance: 50,
  callWaitMs: 300,
  burstWaitMs: 2_500,
};

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});

afterEach(() => {
  vi.useRealTimers();
});

/** A limiter before a machine of so many cores, on which a call takes 20 ms by itself. */
function setUp({ cores = 4, config = {} } = {}) {
  const limiter = new ConcurrencyLimiter({ ...settings, ...config }, () => performance.now());
  let running = 0;
  const work = async () => {
    running += 1;
    await sleep(20 * Math.max(1, running / cores));
    running -= 1;
    return 'done';
  };
  const call = async (accountId: bigint, task: () => Promise<string> = work, isGone = () => false) =>
    await limiter.run({ accountId, action: 'search', isGone }, task, () => true);
  return { limiter, call };
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

interface Seen {
  readonly times: number[];
  refused: number;
}

/** A client that calls again and again until a moment. */
async function client(until: number, call: () => Promise<unknown>, pauseMs: number, seen: Seen): Promise<void> {
  while (performance.now() < until) {
    const begun = performance.now();
    try {
      await call();
      seen.times.push(performance.now() - begun);
    } catch (error) {
      expect(error).toMatchObject({ code: 'service_unavailable', headers: { 'retry-after': expect.any(String) } });
      seen.refused += 1;
      await sleep(500);
    }
    await sleep(pauseMs);
  }
}

function nothingSeen(): Seen {
  return { times: [], refused: 0 };
}

const worst = ({ times }: Seen) => Math.max(...times);

test('an account that floods costs another one nothing but a busier machine', async () => {
  const { call } = setUp();
  const [unloaded, polite, flooding] = [nothingSeen(), nothingSeen(), nothingSeen()];
  const quiet = client(2_000, () => call(1n), 10, unloaded);
  await vi.advanceTimersByTimeAsync(2_100);
  await quiet;
  const floods = Array.from({ length: 60 }, () => client(12_000, () => call(2n), 0, flooding));
  const beside = client(12_000, () => call(1n), 10, polite);
  await vi.advanceTimersByTimeAsync(15_000);
  await Promise.all([...floods, beside]);
  expect(polite.refused).toBe(0);
  polite.times.splice(0, 20);
  expect(worst(polite)).toBeLessThanOrEqual(worst(unloaded) * 3);
  expect(flooding.refused).toBeGreaterThan(100);
  expect(flooding.times.length).toBeGreaterThan(1_000);
});

test('a line that never ends is cut to what may wait; what is admitted is answered soon', async () => {
  const { call } = setUp();
  const seen = nothingSeen();
  const crowd = Array.from({ length: 400 }, (_, at) => client(20_000, () => call(BigInt(at % 40)), 0, seen));
  await vi.advanceTimersByTimeAsync(5_000);
  seen.times.length = 0;
  await vi.advanceTimersByTimeAsync(20_000);
  await Promise.all(crowd);
  expect(seen.refused).toBeGreaterThan(1_000);
  expect(seen.times.length).toBeGreaterThan(1_000);
  expect(worst(seen)).toBeLessThanOrEqual(settings.callWaitMs * 2);
});

test('a burst is answered whole', async () => {
  const { call } = setUp();
  const burst = Promise.all(Array.from({ length: 64 }, () => call(1n)));
  await vi.advanceTimersByTimeAsync(3_000);
  expect(await burst).toHaveLength(64);
});

test('calls that wait for something themselves release their slots early', async () => {
  const { call } = setUp();
  const { promise: never, resolve: end } = Promise.withResolvers<string>();
  const stalled = Array.from({ length: 12 }, (_, at) => call(BigInt(at), () => never));
  await vi.advanceTimersByTimeAsync(2_100);
  const other = call(99n);
  await vi.advanceTimersByTimeAsync(2_100);
  expect(await other).toBe('done');
  end('late');
  expect(new Set(await Promise.all(stalled))).toEqual(new Set(['late']));
});

test('no work is done for a client that has hung up while it waited', async () => {
  const { call } = setUp({ config: { callsInFlight: 2 } });
  const first = [call(1n), call(2n)];
  let worked = false;
  const task = async () => {
    worked = true;
    return 'done';
  };
  const gone = call(3n, task, () => true);
  const refused = expect(gone).rejects.toMatchObject({ code: 'service_unavailable' });
  await vi.advanceTimersByTimeAsync(100);
  await Promise.all(first);
  await refused;
  expect(worked).toBe(false);
});

test('a call that fails releases its slot', async () => {
  const { limiter, call } = setUp();
  const fail = async () => {
    throw new Error('broken');
  };
  for (let n = 0; n < 50; n += 1) await expect(call(1n, fail)).rejects.toThrow('broken');
  expect(limiter.state).toMatchObject({ running: 0, waiting: 0 });
});
