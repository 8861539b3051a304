import { expect, test } from 'vitest';
import { bulletin } from '../../test-support/bulletin-source.ts';
import type { SourceState } from '../db/source-state.ts';
import { firstRunAt, isDue, nextRunAt } from './next-run.ts';

const NOW = new Date('2026-11-21T12:00:00Z');
const STATE: SourceState = {
  source: 'bulletin',
  enabled: undefined,
  reason: '',
  settings: { address: 'https://bulletin.example/' },
  watermark: undefined,
  nextRunAt: NOW,
  freshAt: undefined,
  driftAt: undefined,
  driftMissing: [],
  knownFields: [],
};
const SECRETS = new Map<string, string>();

test('a source is due at its time, if it may run at all', () => {
  expect(isDue(bulletin, STATE, SECRETS, NOW)).toBe('now');
  expect(isDue(bulletin, { ...STATE, nextRunAt: new Date(NOW.getTime() + 1) }, SECRETS, NOW)).toBe('later');
  expect(isDue(bulletin, { ...STATE, nextRunAt: undefined }, SECRETS, NOW)).toBe('unplanned');
  expect(isDue(bulletin, { ...STATE, enabled: false }, SECRETS, NOW)).toBe('never');
  expect(isDue({ ...bulletin, verified: false }, STATE, SECRETS, NOW)).toBe('never');
  expect(isDue({ ...bulletin, verified: false }, { ...STATE, enabled: true }, SECRETS, NOW)).toBe('now');
  expect(isDue(bulletin, { ...STATE, settings: {} }, SECRETS, NOW)).toBe('never');
});

test('the next run comes within the jitter after its time, the first within the jitter', () => {
  const schedule = { everyMinutes: 60, jitterMinutes: 10 };
  const minutes = (at: Date) => (at.getTime() - NOW.getTime()) / 60_000;
  expect([0, 0.5, 1].map((chance) => minutes(nextRunAt(schedule, NOW, chance)))).toEqual([60, 65, 70]);
  expect([0, 0.5, 1].map((chance) => minutes(firstRunAt(schedule, NOW, chance)))).toEqual([0, 5, 10]);
});
