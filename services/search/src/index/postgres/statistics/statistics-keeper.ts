import type { Pool } from '@ces/chassis/postgres/pool';
import { countedObservations, refreshStatistics, uncountedObservations } from './refresh-statistics.ts';

export interface StatisticsKeeper {
  noteApplied(observations: number): void;
  /**
   * Waits for a run that is due or in progress, and returns whether words were counted. Queries
   * nothing if nothing was applied. While more is expected (`isFilling`), a run needs a larger
   * share.
   */
  renewIfDue(isFilling: boolean): Promise<boolean>;
}

/** A recount is due after this share of the observations was applied. */
const DUE_SHARE = 0.25;
/**
 * The share is larger during filling. With a quarter, every observation would be counted five
 * times.
 */
const DUE_SHARE_OF_FILLING = 1;

export function createStatisticsKeeper(pool: Pool): StatisticsKeeper {
  let applied = 0;
  let isFirst = true;
  let lookedAt = 0;
  let lookedFor = 0;
  let running: Promise<boolean> | undefined;
  const renew = async (share: number) => {
    if (!isFirst && applied === lookedAt && share >= lookedFor) return false;
    const counted = await countedObservations(pool);
    if (isFirst) applied += counted === 0 ? Number.POSITIVE_INFINITY : await uncountedObservations(pool, counted);
    isFirst = false;
    lookedAt = applied;
    lookedFor = share;
    if (applied === 0 || applied < counted * share) return false;
    applied = 0;
    lookedAt = 0;
    await refreshStatistics(pool);
    return true;
  };
  return {
    noteApplied(observations) {
      applied += observations;
    },
    renewIfDue(isFilling) {
      running ??= renew(isFilling ? DUE_SHARE_OF_FILLING : DUE_SHARE).finally(() => {
        running = undefined;
      });
      return running;
    },
  };
}
