import { expect, test } from 'vitest';
import { sinceOf } from './periods.ts';
import { searchLoaded } from './search-loaded.ts';

const usage = (id: number, key: string, query: string | null) => ({ usage: { id, request_key: key }, query });
const LOADED = [
  usage(41, 'plants-1', 'Cold storage warehouse'),
  usage(42, 'who-1', null),
  usage(7, 'plants-2', 'bids'),
];

test('operations are found by id, request key or words of the query', () => {
  const ids = (text: string) => searchLoaded(LOADED, text).map((one) => one.usage.id);
  expect([ids('plants'), ids('WAREHOUSE cold'), ids('42'), ids(' '), ids('plants nothing')]).toEqual([
    [41, 7],
    [41],
    [42],
    [41, 42, 7],
    [],
  ]);
});

test('a span begins at the same instant all through a minute', () => {
  const at = (time: string) => sinceOf('week', new Date(time));
  expect(at('2026-11-25T10:00:59.999Z')).toBe('2026-11-18T10:00:00.000Z');
  expect(at('2026-11-25T10:00:00.000Z')).toBe('2026-11-18T10:00:00.000Z');
  expect(sinceOf('all', new Date())).toBeUndefined();
});
