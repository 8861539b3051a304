import { setTimeout as pause } from 'node:timers/promises';
import type { Arena } from './arena.ts';
import { findProjecting, type Replica } from './replicas.ts';

const HELD_WITHIN_MS = 20_000;
const TAKEN_OVER_WITHIN_MS = 30_000;
const GOES_ON_MS = 4_000;
const LOOK_EVERY_MS = 50;
/** Withdraws the newest part of what the stopped process was about to write, before it arrives. */
const WITHDRAWN = 60;
const TIMES = 2;

/** Stops the projecting process during a bulk, which arrives after another has taken over. */
export async function stopProjecting(arena: Arena): Promise<string | undefined> {
  const effects: string[] = [];
  for (let time = 0; time < TIMES; time += 1) {
    const effect = await stopWith(arena, '-write', async () => undefined);
    if (effect === undefined) return undefined;
    effects.push(effect);
  }
  return effects.join('; ');
}

/**
 * The same with a bulk of a rebuild. The other process finishes the rebuild first, so the bulk
 * meets indexes in use.
 */
export async function stopRebuilding(arena: Arena): Promise<string | undefined> {
  const { ask, prefix } = arena;
  const indices = await ask<{ index: string }[]>('GET', `/_cat/indices/${prefix}observation-*?format=json&h=index`);
  const newest = Math.max(...indices.map(({ index }) => Number(/-(\d+)$/.exec(index)?.[1] ?? 0)));
  const effect = await stopWith(arena, `-${newest + 1}-write`, async () => {
    await arena.replicas[0]?.admin.rebuildIndex({});
  });
  const isRebuilding = async () => (await arena.replicas[0]?.admin.getIndexStatus({}))?.rebuilding ?? false;
  const begun = performance.now();
  while ((await isRebuilding()) && performance.now() - begun < TAKEN_OVER_WITHIN_MS) await pause(LOOK_EVERY_MS);
  return effect;
}

async function stopWith(arena: Arena, naming: string, begin: () => Promise<void>): Promise<string | undefined> {
  const leading = await findProjecting(arena.replicas, arena.databaseUrl);
  if (!leading) return undefined;
  lay(leading, { kind: 'hold bulks', naming });
  try {
    await begin();
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
    lay(leading, { kind: 'none' });
    await pause(GOES_ON_MS);
    process.kill(leading.pid, 'SIGCONT');
    await pause(GOES_ON_MS);
    leading.isServing = true;
  }
}

function lay({ proxies }: Replica, fault: Replica['proxies'][number]['fault']): void {
  for (const proxy of proxies) proxy.fault = fault;
}

function heldBy({ proxies }: Replica): number {
  return proxies.reduce((sum, proxy) => sum + proxy.met(), 0);
}

async function until(withinMs: number, isSo: () => Promise<boolean>): Promise<boolean> {
  const begun = performance.now();
  while (!(await isSo())) {
    if (performance.now() - begun > withinMs) return false;
    await pause(LOOK_EVERY_MS);
  }
  return true;
}
