import { expect, test } from 'vitest';
import { isQuoted } from './quotation.ts';

test('a text that begins or ends with a quotation mark gets no second pair', () => {
  for (const text of ['“Demand has outgrown', '"salt" bids', 'bids for "road salt"', '« Demande »', '‘so'])
    expect(isQuoted(text)).toBe(true);
  for (const text of ['Demand', 'the city’s bids', 'a 5" pipe is laid']) expect(isQuoted(text)).toBe(false);
});
