import { expect, test } from 'vitest';
import { parseRuns } from './parse-runs.ts';

const RUN = {
  id: 'k',
  search: 'q=a',
  input: { query: 'a' },
  background: false,
  pages: [{ requestKey: 'k', pressedAt: 1, usageId: 7 }],
};

test('runs kept by a tab are read back', () => {
  expect(parseRuns(JSON.stringify([RUN]))).toEqual([RUN]);
  expect(parseRuns(null)).toEqual([]);
});

test('entries that are not searches are left out, and the others are shown', () => {
  const broken = [null, 5, {}, { ...RUN, pages: [] }, { ...RUN, pages: [null] }, { ...RUN, input: null }];
  expect(parseRuns(JSON.stringify([...broken, RUN]))).toEqual([RUN]);
  for (const text of ['{"a', '{}', 'null', '7']) expect(parseRuns(text)).toEqual([]);
});
