import { expect, test } from 'vitest';
import { observationOf } from '../test-support/companies.ts';
import { placeInWords, placeOf } from './place-of.ts';

function placeIn(observed_fact: string, excerpt = '', country: 'CA' | 'US' = 'US', name = 'Ann Co'): string {
  return placeInWords(placeOf(observationOf({ observed_fact, country }, excerpt), name));
}

test('the place is the first that the fact names, else the first of the excerpts', () => {
  expect(placeIn('Ann Co builds in Fresno, California.')).toBe('Fresno, California');
  expect(placeIn('Ann Co builds.', 'The plant in Ohio opens soon.')).toBe('Ohio');
  expect(placeIn('Ann Co builds.')).toBe('United States');
});

test('a region of the other country and one in the name of the company are no places', () => {
  expect(placeIn('Ann Co builds in Ontario.', '', 'US')).toBe('United States');
  expect(placeIn('Texas Steel opens a mill.', '', 'US', 'Texas Steel')).toBe('United States');
});
