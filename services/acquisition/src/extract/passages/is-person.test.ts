import { expect, test } from 'vitest';
import { isPerson } from './is-person.ts';

test.each(['WEIR, ADA', 'Weir, Ada M.', 'ADA SLUICE, M.D.', 'Ada Sluice PhD', 'Dr. Ben Culvert', "O'Dike, Jo"])(
  '%s is named as people are',
  (name) => {
    expect(isPerson(name)).toBe(true);
  },
);

test.each([
  'Weirworks, Inc.',
  'SLUICE MEDICAL, P.C.',
  'Weir, Sluice & Partners',
  'DIKE SENSING LLC',
  'Dr. Sluice Laboratories',
  'OCEAN RENEWABLE POWER CO INC',
  'Weirworks',
])('%s is not', (name) => {
  expect(isPerson(name)).toBe(false);
});
