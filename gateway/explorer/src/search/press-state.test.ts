import { expect, test } from 'vitest';
import type { RunPage } from '../runs/run.ts';
import { beginsSearch, pressStateOf } from './press-state.ts';

function runWith(page: Partial<RunPage>) {
  const pages = [{ requestKey: 'key', pressedAt: 0, ...page }];
  return { id: 'key', search: 'q=x', input: { query: 'x' }, background: false, pages };
}

test('a second press of a search that is on its way is no second search', () => {
  expect(pressStateOf('q=x', runWith({}))).toBe('on-its-way');
  expect(pressStateOf('q=x', runWith({ usageId: 1 }))).toBe('on-its-way');
});

test('an answer that is there could be had for nothing', () => {
  expect(pressStateOf('q=x', runWith({ answered: true }))).toBe('answered');
});

test('another form, no run, or one that ended without an answer is a new search', () => {
  expect(pressStateOf('q=y', runWith({}))).toBe('new');
  expect(pressStateOf('q=x', undefined)).toBe('new');
  expect(pressStateOf('q=x', runWith({ endedBy: 'search_failed' }))).toBe('new');
});

test('a second click is the same press, also where the answer came between the two', () => {
  const run = { id: 'k', search: 'q=a', input: { query: 'a' }, background: false };
  const answered = { ...run, pages: [{ requestKey: 'k', pressedAt: 5_000, answered: true } as const] };
  expect(beginsSearch('q=a', answered, 5_300)).toBe(false);
  expect(beginsSearch('q=a', answered, 6_100)).toBe(true);
  expect(beginsSearch('q=b', answered, 5_300)).toBe(true);
  // The clock was set back.
  expect(beginsSearch('q=a', answered, 4_000)).toBe(true);
  expect(beginsSearch('q=a', { ...run, pages: [{ requestKey: 'k', pressedAt: 5_000 }] }, 9_000)).toBe(false);
  expect(beginsSearch('q=a', undefined, 9_000)).toBe(true);
});
