import { expect, test } from 'vitest';
import { listAsOf } from './as-of.ts';

const at = (second: number) => new Date(Date.UTC(2026, 10, 26, 12, 0, second));

test('a list is of the moment that it was asked for, and no earlier than what it says', () => {
  expect(listAsOf(at(5), [])).toEqual(at(5));
  expect(listAsOf(at(5), [{ createdAt: at(1), finishedAt: at(2) }])).toEqual(at(5));
  expect(listAsOf(at(5), [{ createdAt: at(1), finishedAt: at(6) }])).toEqual(at(6));
  expect(listAsOf(at(5), [{ createdAt: at(7), finishedAt: undefined }])).toEqual(at(7));
});
