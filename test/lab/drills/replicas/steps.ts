import { setTimeout as pause } from 'node:timers/promises';
import type { NamedReplicas } from './named-replicas.ts';
import type { NamedStack } from './named-stack.ts';
import type { Stretch } from './rows.ts';
import { readServed, type Served, servedBetween, untilEvenShare } from './shares.ts';

/** Callers resolve names when a connection ends, at the latest at its age of a minute. */
const NOTICED_MS = 75_000;
const EVEN_STRETCH_MS = 20_000;
const THIRD_WITHIN_MS = 90_000;
const INDEXED_WITHIN_MS = 3_000;

export async function watchEven(called: readonly NamedReplicas[], signal: AbortSignal) {
  await pause(NOTICED_MS, undefined, { signal });
  const read = async () => await Promise.all(called.map((one) => readServed(one)));
  const [from, first] = [Date.now(), await read()];
  await pause(EVEN_STRETCH_MS, undefined, { signal });
  const [to, last] = [Date.now(), await read()];
  const served = new Map<string, Served>(
    called.map(({ service }, at) => [service, servedBetween(first[at] ?? new Map(), last[at] ?? new Map())]),
  );
  return { stretch: { from, to }, served };
}

export async function addThirds(called: readonly NamedReplicas[], signal: AbortSignal) {
  const watched = [];
  for (const replicas of called) {
    const third = await replicas.add();
    const seconds = untilEvenShare(replicas, third, THIRD_WITHIN_MS, signal);
    watched.push({ replicas, third, seconds });
  }
  const came = new Map<string, number | undefined>();
  for (const { replicas, seconds } of watched) came.set(replicas.service, await seconds);
  await Promise.all(watched.map(({ replicas, third }) => replicas.remove(third)));
  return came;
}

export async function isIndexed(stack: NamedStack): Promise<boolean> {
  const evidence = stack.evidence();
  const tx = await evidence.record('weather station', 'silent');
  return await evidence.untilIndexed(tx, INDEXED_WITHIN_MS).then(
    () => true,
    () => false,
  );
}

export async function restartAll(
  all: readonly NamedReplicas[],
  signal: AbortSignal,
): Promise<Stretch & { restarts: number }> {
  const from = Date.now();
  let restarts = 0;
  for (const replicas of all) {
    signal.throwIfAborted();
    restarts += replicas.current.length;
    await replicas.restart();
  }
  return { from, to: Date.now(), restarts };
}
