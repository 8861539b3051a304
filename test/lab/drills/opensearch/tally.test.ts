import { expect, test } from 'vitest';
import type { Searched } from './search-for.ts';
import { tallyOf } from './tally.ts';

function searched(ending: Searched['ending'], at: number, rest: Partial<Searched> = {}): Searched {
  return { at, ms: 10, ending, replica: 'one', position: 1n, reason: '', missing: [], withdrawn: [], ...rest };
}

test('endings are counted, each with the first reason that there is', () => {
  const tally = tallyOf([
    searched('ok', 0),
    searched('wrong', 20, { reason: 'lacks 2', missing: [1n, 2n] }),
    searched('wrong', 40, { reason: 'shows 3', withdrawn: [3n] }),
  ]);
  expect(tally.endings).toEqual({ ok: 1, partial: 0, unavailable: 0, wrong: 2, failed: 0 });
  expect(tally).toMatchObject({ searches: 3, withdrawnShown: 1, reasons: ['wrong: lacks 2'] });
});

test('silence is the time without an answer, however many were turned away in it', () => {
  const tally = tallyOf([
    searched('ok', 0),
    searched('unavailable', 100),
    searched('partial', 500),
    searched('ok', 300),
  ]);
  expect(tally.longestSilenceMs).toBe(300);
  expect(tallyOf([]).longestSilenceMs).toBe(0);
});
