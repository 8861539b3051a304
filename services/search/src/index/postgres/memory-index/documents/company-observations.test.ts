import { expect, test } from 'vitest';
import { CompanyObservations } from './company-observations.ts';

const ordering = { order: (a: number, b: number) => b - a, codes: Uint16Array.from({ length: 60_000 }, (_, at) => at) };

function of(subject: CompanyObservations, company: number): number[] {
  const { numbers, codesThen, from, to } = subject.of(company, ordering);
  expect([...codesThen.subarray(from, to)]).toEqual([...numbers.subarray(from, to)]);
  return [...numbers.subarray(from, to)];
}

test('observations of a company are in order, whenever they came', () => {
  const subject = new CompanyObservations();
  subject.add(3, 0);
  subject.add(1, 1);
  subject.add(3, 2);
  expect(of(subject, 3)).toEqual([2, 0]);
  expect(of(subject, 1)).toEqual([1]);
  subject.add(3, 3);
  expect(of(subject, 3)).toEqual([3, 2, 0]);
  expect(of(subject, 1)).toEqual([1]);
});

test('new documents are inserted at their place in the order', () => {
  const subject = new CompanyObservations();
  const byRest = { ...ordering, order: (a: number, b: number) => (a % 7) - (b % 7) || a - b };
  const numbers = () => {
    const { numbers, from, to } = subject.of(0, byRest);
    return [...numbers.subarray(from, to)];
  };
  for (let at = 0; at < 50; at += 1) {
    subject.add(0, at);
    if (at % 3 > 0) expect(numbers()).toEqual(Array.from({ length: at + 1 }, (_, one) => one).sort(byRest.order));
  }
});

test('a company without observations has none', () => {
  const subject = new CompanyObservations();
  expect(of(subject, 0)).toEqual([]);
  subject.add(2, 0);
  expect(of(subject, 0)).toEqual([]);
  expect(of(subject, 2)).toEqual([0]);
  expect(of(subject, 7)).toEqual([]);
});

test('a company to which one is added again and again takes no more and more room, and loses nothing', () => {
  const subject = new CompanyObservations();
  for (let at = 0; at < 400; at += 1) subject.add(at % 2, at);
  const others = of(subject, 1);
  for (let at = 400; at < 1_400; at += 1) {
    subject.add(0, at);
    of(subject, 0);
  }
  expect(of(subject, 0)).toEqual([
    ...Array.from({ length: 1_000 }, (_, at) => 1_399 - at),
    ...Array.from({ length: 200 }, (_, at) => 398 - 2 * at),
  ]);
  expect(of(subject, 1)).toEqual(others);
  expect(subject.bytes).toBeLessThan(150_000);
});
