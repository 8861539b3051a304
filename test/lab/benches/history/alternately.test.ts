import { expect, test } from 'vitest';
import { judge, measureAlternately } from './alternately.ts';

const never = new AbortController().signal;

test('a median of more than 1.3 times is above, less than a millisecond more is not', () => {
  const judged = (empty: number, history: number) => judge({ what: '', empty: [empty], history: [history] }).judged;
  expect(judged(10, 13)).toBe('within');
  expect(judged(10, 14)).toBe('above');
  expect(judged(0.5, 1.4)).toBe('within');
  expect(judge({ what: '', empty: [1], history: [9], notJudged: 'for a reason' }).judged).toBe('not judged');
  expect(judge({ what: '', empty: [], history: [9] }).judged).toBe('not judged');
});

test('one and the other take turns, which goes first as well', async () => {
  const order: string[] = [];
  const step = (name: string) => async (turn: number) => {
    order.push(`${name}${turn}`);
    return turn;
  };
  const subject = { what: '', step: { empty: step('e'), history: step('h') }, atMost: 2 };
  expect(await measureAlternately(subject, 9, never)).toEqual({ what: '', empty: [0, 1], history: [0, 1] });
  expect(order).toEqual(['e0', 'h0', 'h1', 'e1']);
});
