import { setTimeout as pause } from 'node:timers/promises';
import { type Forward, forward } from '../forward.ts';
import type { UnderCalls } from '../product/load.ts';
import { metricsOf, NAMESPACE, type Product, podsOf } from '../product/product.ts';
import { until } from '../until.ts';

/** Services that the gateway and operations call, scaled from FROM to TO replicas. */
const SCALED = ['operations', 'ledger', 'search', 'lookup'];
const FROM = 2;
const TO = 4;
const READY_WITHIN_MS = 240_000;
const SHARED_WITHIN_MS = 60_000;
const STRETCH_MS = 15_000;
const TOLERANCE = 0.1;
const ADMIN_PORT = 9090;

/**
 * Doubles the replicas of each program. New pods must receive half of its calls within a minute,
 * and are then removed.
 */
export async function tryScaling(product: Product, noneFails: UnderCalls): Promise<void> {
  await noneFails('replicas doubled, program after program', async () => {
    const times: [string, number | undefined][] = [];
    for (const name of SCALED) times.push([name, await double(product, name)]);
    return {
      figures: Object.fromEntries(times.map(([name, seconds]) => [`${name}, s`, seconds ?? 'never'])),
      faults: times.flatMap(([name, seconds]) =>
        seconds === undefined ? [`new pods of ${name} had no half of its calls in time`] : [],
      ),
    };
  });
}

async function double(product: Product, name: string): Promise<number | undefined> {
  const old = new Set((await podsOf()).map((pod) => pod.name));
  try {
    await scale(product, name, TO);
    return await untilHalf(name, old);
  } finally {
    await scale(product, name, FROM);
  }
}

async function scale(product: Product, name: string, replicas: number): Promise<void> {
  await product.shell(`kubectl --namespace ${NAMESPACE} scale --replicas ${replicas} deployment/ces-${name}`);
  await until(`${replicas} of ${name} are ready`, READY_WITHIN_MS, async () => {
    const own = (await podsOf()).filter(({ program }) => program === name);
    return own.length === replicas && own.every(({ ready }) => ready);
  });
}

async function untilHalf(name: string, old: ReadonlySet<string>): Promise<number | undefined> {
  const pods = (await podsOf()).filter(({ program }) => program === name);
  await using opened = new AsyncDisposableStack();
  const ways: Forward[] = [];
  for (const pod of pods) ways.push(opened.use(await forward(NAMESPACE, `pod/${pod.name}`, ADMIN_PORT)));
  const begun = performance.now();
  const samples: { readonly at: number; readonly served: readonly number[] }[] = [];
  while (performance.now() - begun < SHARED_WITHIN_MS + STRETCH_MS) {
    const now = { at: performance.now(), served: await Promise.all(ways.map(callsOf)) };
    samples.push(now);
    const then = samples.findLast(({ at }) => at <= now.at - STRETCH_MS);
    const calls = now.served.map((count, at) => count - (then?.served[at] ?? count));
    const all = calls.reduce((sum, count) => sum + count, 0);
    const ofNew = calls.reduce((sum, count, at) => sum + (old.has(pods[at]?.name ?? '') ? 0 : count), 0);
    if (then && all > 0 && Math.abs(ofNew / all - 0.5) <= TOLERANCE) return Math.round((then.at - begun) / 1_000);
    await pause(1_000);
  }
  return undefined;
}

async function callsOf(way: Forward): Promise<number> {
  const counts = await metricsOf(way, /^rpc_server_call_duration(?:_seconds)?_count\{/);
  return counts.reduce((sum, { value }) => sum + value, 0);
}
