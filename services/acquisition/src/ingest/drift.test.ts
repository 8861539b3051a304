import { expect, test } from 'vitest';
import { DriftWatch } from './drift.ts';

const FIELDS = { required: ['id', 'title'], usual: ['closes'] };

function watched(records: readonly (readonly string[])[]): DriftWatch {
  const watch = new DriftWatch(FIELDS);
  for (const fields of records) watch.observe(fields);
  return watch;
}

function times(count: number, fields: readonly string[]): (readonly string[])[] {
  return Array.from({ length: count }, () => fields);
}

test('a document whose records have what the connector reads is no drift', () => {
  const watch = watched([...times(60, ['id', 'title']), ['id', 'title', 'closes', 'more']]);
  expect(watch.missing()).toEqual([]);
  expect([...watch.carried()]).toEqual(['id', 'title', 'closes', 'more']);
});

test('a required field that most records lack is drift, one that a few lack is theirs', () => {
  expect(watched([...times(3, ['id']), ...times(2, ['id', 'title', 'closes'])]).missing()).toEqual(['title']);
  expect(watched([...times(2, ['id']), ...times(3, ['id', 'title', 'closes'])]).missing()).toEqual([]);
});

test('a usual field is missed only when fifty records or more lack it', () => {
  expect(watched(times(49, ['id', 'title'])).absent()).toEqual([]);
  expect(watched(times(50, ['id', 'title'])).absent()).toEqual(['closes']);
  expect(watched(times(50, ['id', 'title'])).missing()).toEqual(['closes']);
});
