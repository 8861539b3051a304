import { type Random, seeded } from '@ces/test/support/random.ts';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Machine } from '../../test-support/machine.ts';
import { ConcurrencyLimiter } from './concurrency-limiter.ts';

const settings = { maxConcurrentCalls: 4, callWaitMs: 300, burstWaitMs: 5_000 };
const PROCESSORS = 2;
/** Mean processor time of a call, in milliseconds. */
const COSTS = { 'look-up': 10, search: 28 };
type Kind = keyof typeof COSTS;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});

afterEach(() => {
  vi.useRealTimers();
});

/** A limiter and a simulated machine with two processors. The default call takes 20 ms of one. */
function setUp(config: Partial<typeof settings> = {}) {
  const limiter = new ConcurrencyLimiter({ ...settings, ...config }, () => performance.now());
  const machine = new Machine(PROCESSORS);
  const work = async () => {
    await machine.compute(20);
    return 'done';
  };
  const call = async (
    accountId: bigint,
    task: (releaseSlot: () => void) => Promise<string> = work,
    isGone = () => false,
  ) => await limiter.run({ accountId, isGone }, task);
  return { limiter, machine, call };
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

interface Seen {
  readonly times: Record<Kind, number[]>;
  refused: number;
}

function nothingSeen(): Seen {
  return { times: { 'look-up': [], search: [] }, refused: 0 };
}

interface ClientOptions {
  readonly call: (task: () => Promise<string>) => Promise<string>;
  readonly machine: Machine;
  readonly random: Random;
  readonly pauseMs: number;
  readonly untilMs: number;
}

async function client({ call, machine, random, pauseMs, untilMs }: ClientOptions, seen: Seen): Promise<void> {
  while (performance.now() < untilMs) {
    const kind = random.pick(['look-up', 'search'] as const);
    const cost = COSTS[kind] * (0.6 - 0.4 * Math.log(1 - random.next()));
    const begun = performance.now();
    try {
      await call(async () => {
        for (let part = 0; part < 4; part += 1) {
          await machine.compute(cost / 4);
          await sleep(1);
        }
        return 'done';
      });
      seen.times[kind].push(performance.now() - begun);
    } catch (error) {
      expect(error).toMatchObject({ code: 'service_unavailable', headers: { 'retry-after': expect.any(String) } });
      seen.refused += 1;
      await machine.compute(1);
      await sleep(1_000 * (0.5 + random.next()));
    }
    await sleep(pauseMs);
  }
}

/**
 * Runs two clients of a polite account for a simulated minute, together with `floodClients` clients
 * of another account that never pause.
 */
async function beside(floodClients: number, config: Partial<typeof settings> = {}) {
  const { call, machine } = setUp(config);
  const random = seeded('2026');
  const [polite, flooding] = [nothingSeen(), nothingSeen()];
  const untilMs = performance.now() + 60_000;
  const of = (accountId: bigint, name: string, pauseMs: number): ClientOptions => ({
    call: (task) => call(accountId, task),
    ...{ machine, random: random.branch(name), pauseMs, untilMs },
  });
  const all = [0, 1].map((n) => client(of(1n, `polite ${n}`, 50), polite));
  for (let n = 0; n < floodClients; n += 1) all.push(client(of(2n, `flood ${n}`, 0), flooding));
  await vi.advanceTimersByTimeAsync(70_000);
  await Promise.all(all);
  return { polite, flooding };
}

function quantile(times: readonly number[], share: number): number {
  return times.toSorted((a, b) => a - b)[Math.ceil(times.length * share) - 1] ?? Number.NaN;
}

test('an account that floods raises the p99 of another one by at most a fifth, and gets most of the remaining capacity', async () => {
  const alone = await beside(0);
  const { polite, flooding } = await beside(100);
  expect(polite.refused).toBe(0);
  for (const kind of ['look-up', 'search'] as const) {
    const [before, after] = [quantile(alone.polite.times[kind], 0.99), quantile(polite.times[kind], 0.99)];
    console.log(`p99 of a ${kind}: ${before.toFixed(0)} ms alone, ${after.toFixed(0)} ms beside a flood`);
    expect(after / before).toBeLessThanOrEqual(1.2);
  }
  const answered = Object.values(flooding.times).flat().length;
  console.log(`of the flood ${(answered / 60).toFixed(0)} calls a second are answered`);
  expect(answered / 60).toBeGreaterThan(30);
});

test('without its turns the same flood costs several times as much', async () => {
  const alone = await beside(0, { maxConcurrentCalls: 1_000 });
  const { polite } = await beside(100, { maxConcurrentCalls: 1_000 });
  const times = (seen: Seen) => quantile(seen.times['look-up'], 0.99);
  expect(times(polite) / times(alone.polite)).toBeGreaterThan(3);
});

test('an account that is the only one to call has the machine to itself, but for a slot that waits for others', async () => {
  const { limiter, call } = setUp();
  const burst = Promise.all(Array.from({ length: 64 }, () => call(1n)));
  expect(limiter.state.running).toBe(3);
  const begun = performance.now();
  await vi.advanceTimersByTimeAsync((64 * 20) / PROCESSORS + 100);
  expect(await burst).toHaveLength(64);
  expect(performance.now() - begun).toBeLessThan(1_000);
});

test('an account with 32 clients that never pause is refused nothing', async () => {
  const { call, machine } = setUp();
  const random = seeded('own');
  const seen = nothingSeen();
  const untilMs = performance.now() + 30_000;
  const clients = Array.from({ length: 32 }, (_, at) =>
    client({ call: (task) => call(1n, task), machine, random: random.branch(String(at)), pauseMs: 0, untilMs }, seen),
  );
  await vi.advanceTimersByTimeAsync(40_000);
  await Promise.all(clients);
  expect(seen.refused).toBe(0);
  expect(Object.values(seen.times).flat().length / 30).toBeGreaterThan(80);
});

test('a burst is answered completely next to an account that calls now and then', async () => {
  const { call } = setUp();
  const other = (async () => {
    for (let n = 0; n < 20; n += 1) {
      await call(2n);
      await sleep(100);
    }
  })();
  const burst = Promise.all(Array.from({ length: 64 }, () => call(1n)));
  await vi.advanceTimersByTimeAsync(6_000);
  expect(await burst).toHaveLength(64);
  await other;
});

test('an endless queue is limited to the maximum length, and admitted calls are answered soon', async () => {
  const { call, machine } = setUp();
  const seen = nothingSeen();
  const random = seeded('crowd');
  const untilMs = performance.now() + 20_000;
  const crowd = Array.from({ length: 400 }, (_, at) =>
    client(
      { call: (task) => call(BigInt(at % 40), task), machine, random: random.branch(String(at)), pauseMs: 0, untilMs },
      seen,
    ),
  );
  await vi.advanceTimersByTimeAsync(5_000);
  for (const times of Object.values(seen.times)) times.length = 0;
  await vi.advanceTimersByTimeAsync(20_000);
  await Promise.all(crowd);
  const times = Object.values(seen.times).flat();
  expect(seen.refused).toBeGreaterThan(1_000);
  expect(times.length / 15).toBeGreaterThan(60);
  expect(quantile(times, 0.99)).toBeLessThanOrEqual(settings.callWaitMs * 2);
});

test('calls that only wait and release their slot are all admitted at once, and so are others', async () => {
  const { limiter, call } = setUp();
  const { promise: ended, resolve: end } = Promise.withResolvers<string>();
  let entered = 0;
  const waiting = Array.from({ length: 64 }, () =>
    call(1n, (releaseSlot) => {
      entered += 1;
      releaseSlot();
      releaseSlot();
      return ended;
    }),
  );
  await vi.advanceTimersByTimeAsync(0);
  expect(entered).toBe(64);
  expect(limiter.state).toMatchObject({ running: 0, waiting: 0 });
  const others = [call(1n), call(2n)];
  await vi.advanceTimersByTimeAsync(25);
  expect(await Promise.all(others)).toEqual(['done', 'done']);
  end('late');
  expect(new Set(await Promise.all(waiting))).toEqual(new Set(['late']));
  expect(limiter.state).toMatchObject({ running: 0, waiting: 0 });
});

test('calls that only wait and do not say so have no slot for long: none of 64 is refused', async () => {
  const { limiter, call } = setUp();
  const { promise: ended, resolve: end } = Promise.withResolvers<string>();
  let entered = 0;
  const waiting = Array.from({ length: 64 }, () =>
    call(1n, () => {
      entered += 1;
      return ended;
    }),
  );
  await vi.advanceTimersByTimeAsync(settings.burstWaitMs);
  expect(entered).toBe(64);
  end('late');
  expect(await Promise.all(waiting)).toHaveLength(64);
  expect(limiter.state).toMatchObject({ running: 0, waiting: 0 });
});

test('no work is done for a client that has hung up while it waited', async () => {
  const { call } = setUp({ maxConcurrentCalls: 2 });
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
