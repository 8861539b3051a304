import { setTimeout as pause } from 'node:timers/promises';
import type { Arena } from './arena.ts';
import { findProjecting, type Replica } from './replicas.ts';

const HELD_WITHIN_MS = 20_000;
const TAKEN_OVER_WITHIN_MS = 30_000;
const GOES_ON_MS = 4_000;
const LOOK_EVERY_MS = 50;
/** Withdraws the newest part of what the stopped process was about to write, before it arrives. */
const WITHDRAWN = 60;

/** Stops the projecting process during a bulk, which arrives after another has taken over. */
export async function stopProjecting(arena: Arena): Promise<string | undefined> {
  const leading = await findProjecting(arena.replicas, arena.databaseUrl);
  if (!leading) return undefined;
  for (const proxy of leading.proxies) proxy.holdBulks();
  try {
    if (!(await until(HELD_WITHIN_MS, async () => heldBy(leading) > 0))) return undefined;
    leading.isServing = false;
    process.kill(leading.pid, 'SIGSTOP');
    const stopped = performance.now();
    arena.writer.withdrawNewest(WITHDRAWN);
    const isTakenOver = async () => {
      const now = await findProjecting(arena.replicas, arena.databaseUrl);
      return now !== undefined && now !== leading;
    };
    if (!(await until(TAKEN_OVER_WITHIN_MS, isTakenOver))) return undefined;
    const took = performance.now() - stopped;
    await pause(GOES_ON_MS);
    return `taken over after ${Math.round(took)} ms, ${heldBy(leading)} bulks came late`;
  } finally {
    for (const proxy of leading.proxies) proxy.release();
    await pause(GOES_ON_MS);
    process.kill(leading.pid, 'SIGCONT');
    await pause(GOES_ON_MS);
    leading.isServing = true;
  }
}

function heldBy({ proxies }: Replica): number {
  return proxies.reduce((sum, proxy) => sum + proxy.held(), 0);
}

async function until(withinMs: number, isSo: () => Promise<boolean>): Promise<boolean> {
  const begun = performance.now();
  while (!(await isSo())) {
    if (performance.now() - begun > withinMs) return false;
    await pause(LOOK_EVERY_MS);
  }
  return true;
}
