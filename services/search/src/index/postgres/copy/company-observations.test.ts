import { expect, test } from 'vitest';
import { CompanyObservations } from './company-observations.ts';

const HIGHEST_FIRST = (a: number, b: number) => b - a;

test('observations of a company are in order, whenever they came', () => {
  const subject = new CompanyObservations();
  subject.add(3, 0);
  subject.add(1, 1);
  subject.add(3, 2);
  expect([...subject.of(3, HIGHEST_FIRST)]).toEqual([2, 0]);
  expect([...subject.of(1, HIGHEST_FIRST)]).toEqual([1]);
  subject.add(3, 3);
  expect([...subject.of(3, HIGHEST_FIRST)]).toEqual([3, 2, 0]);
});

test('a company without observations has none', () => {
  const subject = new CompanyObservations();
  expect(subject.of(0, HIGHEST_FIRST)).toHaveLength(0);
  subject.add(2, 0);
  expect(subject.of(0, HIGHEST_FIRST)).toHaveLength(0);
  expect(subject.of(7, HIGHEST_FIRST)).toHaveLength(0);
});

test('only lists that are in order take memory, and one that is no longer used takes none', () => {
  const subject = new CompanyObservations();
  for (let at = 0; at < 10; at += 1) subject.add(0, at);
  expect(subject.bytes).toBe(0);
  subject.of(0, HIGHEST_FIRST);
  expect(subject.bytes).toBeGreaterThan(0);
  subject.add(0, 10);
  expect(subject.bytes).toBe(0);
});
