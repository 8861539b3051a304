import { expect, test } from 'vitest';
import { History } from './history.ts';

function history() {
  const written = new History();
  written.says('steel', 1n, 10n);
  written.says('steel', 2n, 11n);
  written.saysNoMore('steel', 1n, 12n);
  written.says('bakery', 1n, 12n);
  return written;
}

test('an answer lacks what was recorded by its position and is there still', () => {
  expect(history().judge('steel', 11n, new Set())).toEqual({ missing: [2n], withdrawn: [] });
  expect(history().judge('steel', 10n, new Set())).toEqual({ missing: [], withdrawn: [] });
  expect(history().judge('bakery', 11n, new Set())).toEqual({ missing: [], withdrawn: [] });
  expect(history().judge('bakery', 12n, new Set())).toEqual({ missing: [1n], withdrawn: [] });
});

test('what was withdrawn may be shown before the position has reached that, and not since', () => {
  const shown = new Set([1n, 2n]);
  expect(history().judge('steel', 11n, shown).withdrawn).toEqual([]);
  expect(history().judge('steel', 12n, shown).withdrawn).toEqual([1n]);
});

test('what is newer than the position may be shown', () => {
  expect(history().judge('bakery', 11n, new Set([1n]))).toEqual({ missing: [], withdrawn: [] });
});

test('the record says a word by what it is now', () => {
  expect([history().saying('steel'), history().saying('bakery'), history().newest]).toEqual([[2n], [1n], 12n]);
});
