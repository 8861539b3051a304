import { setTimeout as pause } from 'node:timers/promises';
import type { Arena } from './arena.ts';

const DISK = 'cluster.routing.allocation.disk';
const MORE_THAN_THERE_IS = '9999tb';
const BLOCKED_WITHIN_MS = 60_000;
const LASTS_MS = 10_000;

/** Exceeds the flood stage, so that nodes refuse every write, then lifts it. */
export async function fillDisks(arena: Arena): Promise<string | undefined> {
  await set(arena, {
    [`${DISK}.threshold_enabled`]: true,
    [`${DISK}.watermark.low`]: MORE_THAN_THERE_IS,
    [`${DISK}.watermark.high`]: MORE_THAN_THERE_IS,
    [`${DISK}.watermark.flood_stage`]: MORE_THAN_THERE_IS,
    'cluster.info.update.interval': '10s',
  });
  const begun = performance.now();
  while (!(await isBlocked(arena)) && performance.now() - begun < BLOCKED_WITHIN_MS) await pause(500);
  const blocked = await isBlocked(arena);
  await pause(LASTS_MS);
  const behind = await behindOf(arena);
  /* The thresholds stay enabled, because they remove the write block. */
  await set(arena, {
    [`${DISK}.watermark.low`]: '1b',
    [`${DISK}.watermark.high`]: '1b',
    [`${DISK}.watermark.flood_stage`]: '1b',
  });
  return blocked
    ? `writes refused after ${Math.round((performance.now() - begun) / 1000)} s, the index then ${behind} behind`
    : undefined;
}

async function set({ ask }: Arena, transient: Record<string, unknown>): Promise<void> {
  await ask('PUT', '/_cluster/settings', { transient });
}

async function isBlocked({ ask, prefix }: Arena): Promise<boolean> {
  const indices = await ask<Record<string, { settings: { index: { blocks?: Record<string, string> } } }>>(
    'GET',
    `/${prefix}*/_settings/index.blocks.*`,
  );
  return Object.values(indices).some(({ settings }) => settings.index?.blocks?.read_only_allow_delete === 'true');
}

async function behindOf({ replicas }: Arena): Promise<bigint> {
  const status = await replicas[0]?.admin.getIndexStatus({});
  return status?.lag ?? 0n;
}
