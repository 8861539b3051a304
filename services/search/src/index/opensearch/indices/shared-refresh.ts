import { Batcher } from '@ces/chassis/service/batcher';

/** Two refreshes start at least this far apart, in milliseconds. */
const APART_MS = 150;
/** Callers that share a refresh. */
const MOST = 1_000;

export type Refresh = (index: readonly string[]) => Promise<void>;

/** Callers that come during a refresh, or soon after it began, share the next one. */
export function shareRefreshes(refresh: (index: string[]) => Promise<void>): Refresh {
  const refreshes = new Batcher<readonly string[], void>({
    maxItems: MOST,
    maxInFlight: 1,
    intervalMs: APART_MS,
    run: async (entries) => {
      await refresh([...new Set(entries.flatMap(({ item }) => item))].toSorted());
      for (const entry of entries) entry.resolve();
    },
  });
  return async (index) => {
    if (index.length > 0) await refreshes.add(index);
  };
}
