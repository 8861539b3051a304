import { expect, test } from 'vitest';
import { askedInterval } from './statement-intervals.ts';

const NOW = new Date('2026-11-25T10:00:00.000Z');
const NONE = { from: '', to: '' };

test('the period is left to the service, spans end now, and chosen days are whole', () => {
  expect(askedInterval('period', NONE, NOW)).toEqual({});
  expect(askedInterval('week', NONE, NOW)).toEqual({ since: '2026-11-18T10:00:00.000Z' });
  expect(askedInterval('custom', { from: '2026-11-01', to: '2026-11-30' }, NOW)).toEqual({
    since: '2026-11-01T00:00:00.000Z',
    until: '2026-12-01T00:00:00.000Z',
  });
});

test('days that make no interval ask for nothing', () => {
  expect(askedInterval('custom', NONE, NOW)).toBeUndefined();
  expect(askedInterval('custom', { from: '2026-11-02', to: '2026-11-01' }, NOW)).toBeUndefined();
});
