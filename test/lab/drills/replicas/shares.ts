import { setTimeout as pause } from 'node:timers/promises';
import type { NamedReplicas, Replica } from './named-replicas.ts';

export type Served = ReadonlyMap<string, number>;

export const TOLERANCE = 0.1;
const STRETCH_MS = 5_000;
const LOOK_EVERY_MS = 500;

export async function readServed(replicas: NamedReplicas): Promise<Served> {
  return new Map(await Promise.all(replicas.current.map(async (one) => [one.name, await callsOf(one)] as const)));
}

export function servedBetween(before: Served, after: Served): Served {
  return new Map([...after].map(([name, calls]) => [name, calls - (before.get(name) ?? 0)]));
}

/** The largest share relative to the smallest, minus 1. For example, 0.1 is ten percent. */
export function unevenness(served: Served): number {
  const counts = [...served.values()];
  return Math.max(...counts) / Math.min(...counts) - 1;
}

/**
 * Seconds until `replica` has an even share, within a tenth, of the last five seconds. Undefined
 * after `withinMs`.
 */
export async function untilEvenShare(
  replicas: NamedReplicas,
  replica: Replica,
  withinMs: number,
  signal: AbortSignal,
): Promise<number | undefined> {
  const begun = performance.now();
  const samples: { readonly at: number; readonly served: Served }[] = [];
  while (performance.now() - begun < withinMs) {
    const now = { at: performance.now(), served: await readServed(replicas) };
    samples.push(now);
    const then = samples.findLast(({ at }) => at <= now.at - STRETCH_MS);
    if (then && isEven(servedBetween(then.served, now.served), replica)) return (performance.now() - begun) / 1_000;
    await pause(LOOK_EVERY_MS, undefined, { signal });
  }
  return undefined;
}

function isEven(served: Served, { name }: Replica): boolean {
  const all = [...served.values()].reduce((sum, calls) => sum + calls, 0);
  const even = 1 / served.size;
  return all > 0 && Math.abs((served.get(name) ?? 0) / all - even) <= TOLERANCE * even;
}

async function callsOf({ name, adminUrl }: Replica): Promise<number> {
  const answer = await fetch(new URL('/metrics', adminUrl), { signal: AbortSignal.timeout(10_000) });
  if (!answer.ok) throw new Error(`${name} shows no metrics`);
  const counts = (await answer.text()).matchAll(/^rpc_server_call_duration(?:_seconds)?_count\{.*\} (\d+)/gm);
  return [...counts].reduce((sum, [, calls]) => sum + Number(calls), 0);
}
