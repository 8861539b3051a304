import { CallerLimits } from '@ces/chassis/limits/caller-limits';
import { SharedLimits } from '@ces/chassis/limits/shared-limits';
import { createRpcClient } from '@ces/chassis/rpc/client';
import { createLogger } from '@ces/chassis/telemetry/log';
import { CallLimitService } from '@ces/proto/ces/ledger/v1/call_limit_service_pb.ts';
import { freePort } from '@ces/servers/ports';
import { type FaultyProxy, startProxy } from '@ces/test/support/faulty-proxy.ts';
import { seeded } from '@ces/test/support/random.ts';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type ServedLedger, serveLedger } from '../../test-support/served-ledger.ts';

// Tests limits of the installation while the ledger is unreachable, and after (decision 0009). Each
// process acts as one gateway.
const PROCESSES = 3;
const RATE = { perSecond: 1, burst: 6 };
const SLOTS = 4;
const FAILURES = 5;
const TIMEOUT_MS = 2_000;
const POLLING = { timeout: 60_000, interval: 250 };

const logger = createLogger('test', 'silent');
let served: ServedLedger;

beforeAll(async () => {
  served = await serveLedger();
});
afterAll(() => served[Symbol.asyncDispose]());

interface Installation {
  readonly proxy: FaultyProxy;
  readonly port: number;
  readonly processes: readonly SharedLimits[];
}

async function installation(): Promise<Installation> {
  const port = Number(new URL(served.url).port);
  const proxy = await startProxy(port, seeded('limits'));
  const processes = Array.from({ length: PROCESSES }, () => {
    const { take } = createRpcClient(CallLimitService, {
      url: `http://127.0.0.1:${proxy.port}`,
      callerToken: 'token-of-gateway',
      timeoutMs: TIMEOUT_MS,
    });
    return new SharedLimits({ take, now: () => performance.now(), logger });
  });
  onTestFinished(async () => {
    for (const one of processes) await one[Symbol.asyncDispose]();
    await proxy[Symbol.asyncDispose]();
  });
  return { proxy, port, processes };
}

const mostSince = (begun: number) => RATE.burst + 1 + (RATE.perSecond * (performance.now() - begun)) / 1_000;

async function letIn(processes: readonly SharedLimits[], owner: string): Promise<number[]> {
  const flood = async (limits: SharedLimits) => {
    const calls = Array.from({ length: RATE.burst * 2 }, () => limits.takeCall(owner, RATE, { overdraft: false }));
    return (await Promise.all(calls)).filter((waitMs) => waitMs === 0).length;
  };
  return await Promise.all(processes.map(flood));
}

async function enterAll(processes: readonly SharedLimits[], owner: string) {
  const entered = await Promise.all(
    processes.map((limits) => Promise.all(Array.from({ length: SLOTS + 1 }, () => limits.enter(owner, SLOTS)))),
  );
  const leaves = entered.flat().filter((leave) => leave !== undefined);
  return {
    counts: entered.map((one) => one.filter(Boolean).length),
    leave: () => {
      for (const leave of leaves) leave();
    },
  };
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}

async function fallSilent({ proxy }: Installation): Promise<void> {
  proxy.fault = { kind: 'silence' };
}

async function takeNoConnections({ proxy }: Installation): Promise<void> {
  proxy.retarget(await freePort(0));
}

test.each([
  ['is silent', fallSilent],
  ['takes no connections', takeNoConnections],
] as const)(
  'while the ledger %s each process limits by itself; when it is back limits are shared again, and no caller was locked out',
  async (_how, leave) => {
    const all = await installation();
    const { proxy, port, processes } = all;
    const name = `credential/${crypto.randomUUID()}`;
    const begun = performance.now();
    const together = sum(await letIn(processes, name));
    expect(together).toBeGreaterThanOrEqual(RATE.burst);
    expect(together).toBeLessThanOrEqual(mostSince(begun));

    await leave(all);
    const away = performance.now();
    for (const count of await letIn(processes, `${name}/away`)) {
      expect(count).toBeGreaterThanOrEqual(RATE.burst);
      expect(count).toBeLessThanOrEqual(mostSince(away));
    }
    for (const limits of processes)
      await expect.poll(() => limits.takeCall(name, RATE, { overdraft: false }), POLLING).toBe(0);
    const entered = await enterAll(processes, 'account/away');
    expect(entered.counts).toEqual(processes.map(() => SLOTS));
    const settings = {
      credentialCallsPerSecond: 1,
      credentialBurst: 1,
      accountCallsInFlight: SLOTS,
      accountPagesPerSecond: 1,
    };
    for (const limits of processes) {
      const callers = new CallerLimits(limits, { ...settings, addressFailuresPerSecond: FAILURES });
      callers.attempt('192.0.2.1').forgive();
      const tries = Array.from({ length: FAILURES * 3 }, () => callers.attempt('192.0.2.1').fail());
      const rejections = (await Promise.all(tries)).filter((rejection) => rejection !== undefined);
      expect(rejections.length).toBeGreaterThan(0);
      // A forgiven attempt may be returned after the others have begun.
      expect(rejections.length).toBeLessThanOrEqual(FAILURES * 2 + 1);
    }

    if (proxy.fault.kind === 'none') proxy.retarget(port);
    proxy.fault = { kind: 'none' };
    let round = 0;
    const isSharedAgain = async () => {
      const asked = performance.now();
      const count = sum(await letIn(processes, `${name}/back/${round++}`));
      expect(count).toBeGreaterThanOrEqual(RATE.burst);
      return count <= mostSince(asked);
    };
    await expect.poll(isSharedAgain, POLLING).toBe(true);
    for (const limits of processes)
      for (const owner of [name, `${name}/away`])
        await expect.poll(() => limits.takeCall(owner, RATE, { overdraft: false }), POLLING).toBe(0);
    entered.leave();
    const slotsAgain = async () => {
      const { counts, leave: leaveAll } = await enterAll(processes, 'account/away');
      leaveAll();
      return sum(counts);
    };
    // A process without a slot for an owner admits one call before it asks the ledger.
    await expect.poll(slotsAgain, POLLING).toBeLessThanOrEqual(SLOTS + PROCESSES - 1);
    expect(await slotsAgain()).toBeGreaterThanOrEqual(SLOTS);
  },
  120_000,
);
