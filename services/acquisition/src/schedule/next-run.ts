import type { SourceState } from '../db/source-state.ts';
import { isEnabled, type SourceSecrets, settingsOf } from '../sources/settings.ts';
import type { Schedule, Source } from '../sources/source.ts';

const MINUTE_MS = 60_000;

/** What the schedule says of a source now. */
export type Due = 'never' | 'later' | 'now' | 'unplanned';

/** Whether a source is to be fetched now; `unplanned`: its first run has no time yet. */
export function isDue(source: Source, state: SourceState, secrets: SourceSecrets, now: Date): Due {
  if (!source.schedule || !source.requests || !isEnabled(source, state)) return 'never';
  if (settingsOf(source, state, secrets).missing.length > 0) return 'never';
  if (!state.nextRunAt) return 'unplanned';
  return state.nextRunAt <= now ? 'now' : 'later';
}

/** When a source that runs now runs again; `chance` from 0 to 1 places it within the jitter. */
export function nextRunAt({ everyMinutes, jitterMinutes }: Schedule, now: Date, chance: number): Date {
  return new Date(now.getTime() + (everyMinutes + jitterMinutes * chance) * MINUTE_MS);
}

/** When a source runs for the first time: within its jitter, so that a fresh installation asks no two at once. */
export function firstRunAt({ jitterMinutes }: Schedule, now: Date, chance: number): Date {
  return new Date(now.getTime() + jitterMinutes * chance * MINUTE_MS);
}
