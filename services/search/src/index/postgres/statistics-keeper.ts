import type { Pool } from '@ces/chassis/postgres';
import { countedObservations, refreshStatistics } from './statistics.ts';

/** Renews the statistics when enough was applied, one run at a time. */
export interface StatisticsKeeper {
  noteApplied(observations: number): void;
  /** Ends with the run that is due or under way; at once when none is. */
  renewIfDue(): Promise<void>;
}

/** Share of the observations that must have been applied before their words are counted again. */
const DUE_SHARE = 0.25;

export function createStatisticsKeeper(pool: Pool): StatisticsKeeper {
  /** Since the last run; at the start nobody knows. */
  let applied = Number.POSITIVE_INFINITY;
  let running: Promise<void> | undefined;
  const renew = async () => {
    if (applied === 0 || applied < (await countedObservations(pool)) * DUE_SHARE) return;
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
