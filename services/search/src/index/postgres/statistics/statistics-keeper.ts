import type { Pool } from '@ces/chassis/postgres/pool';
import { countedObservations, refreshStatistics, uncountedObservations } from './refresh-statistics.ts';

/** Renews the statistics when enough was applied, one run at a time. */
export interface StatisticsKeeper {
  noteApplied(observations: number): void;
  /** Ends with the run that is due or under way; at once when none is. */
  renewIfDue(): Promise<void>;
}

/** Share of the observations that must have been applied before their words are counted again. */
const DUE_SHARE = 0.25;

export function createStatisticsKeeper(pool: Pool): StatisticsKeeper {
  /** Since the last run. */
  let applied = 0;
  let isFirst = true;
  let running: Promise<void> | undefined;
  const renew = async () => {
    const counted = await countedObservations(pool);
    if (isFirst) applied += counted === 0 ? Number.POSITIVE_INFINITY : await uncountedObservations(pool, counted);
    isFirst = false;
    if (applied === 0 || applied < counted * DUE_SHARE) return;
    applied = 0;
    await refreshStatistics(pool);
  };
  return {
    noteApplied(observations) {
      applied += observations;
    },
    renewIfDue() {
      running ??= renew().finally(() => {
        running = undefined;
      });
      return running;
    },
  };
}
