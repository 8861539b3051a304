import type { Schedule, Source } from '../connector/source.ts';
import { isEnabled, type SourceSecrets, type SourceState, settingsOf } from '../db/source-state.ts';

const MINUTE_MS = 60_000;

type Due = 'never' | 'later' | 'now' | 'unplanned';

/** `unplanned`: the first run has no time yet. */
export function isDue(source: Source, state: SourceState, secrets: SourceSecrets, now: Date): Due {
  if (!source.schedule || !source.requests || !isEnabled(source, state)) return 'never';
  if (settingsOf(source, state, secrets).missing.length > 0) return 'never';
  if (!state.nextRunAt) return 'unplanned';
  return state.nextRunAt <= now ? 'now' : 'later';
}

export function nextRunAt({ everyMinutes, jitterMinutes }: Schedule, now: Date, chance: number): Date {
  return new Date(now.getTime() + (everyMinutes + jitterMinutes * chance) * MINUTE_MS);
}

/** A new installation must not fetch all sources at once. */
export function firstRunAt({ jitterMinutes }: Schedule, now: Date, chance: number): Date {
  return new Date(now.getTime() + jitterMinutes * chance * MINUTE_MS);
}
