import type { Pool } from '@ces/chassis/postgres/pool';
import { countedObservations, refreshStatistics, uncountedObservations } from './refresh-statistics.ts';

/** Renews the statistics when enough was applied, one run at a time. */
export interface StatisticsKeeper {
  noteApplied(observations: number): void;
  /**
   * Ends with the run that is due or under way, with whether words were counted; at once when none is, and without a look when nothing
   * was applied. `isFilling`: more is to come, so that only more of it makes a run due.
   */
  renewIfDue(isFilling: boolean): Promise<boolean>;
}

/** Share of the observations that must have been applied before their words are counted again. */
const DUE_SHARE = 0.25;
/** The same while more is to come: counting each time a quarter has come would count every observation five times over. */
const DUE_SHARE_OF_FILLING = 1;

export function createStatisticsKeeper(pool: Pool): StatisticsKeeper {
  /** Since the last run. */
  let applied = 0;
  let isFirst = true;
  /** What had been applied when it was last looked whether that is enough, by which share. */
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
