import { expect, test } from 'vitest';
import { awardIdentifier } from './source.ts';

test.each([
  ['1R43AI178943-01', 'R43AI178943'],
  ['2r42hl999901-02a1', 'R42HL999901'],
  ['R43AI178943', 'R43AI178943'],
  ['2317077', '2317077'],
  [' DE-AR0001446 ', 'DE-AR0001446'],
])('%s is the award %s', (number, value) => {
  expect(awardIdentifier(number)).toEqual({ scheme: 'project', value });
});

test.each([undefined, '', 'TBD', 'N/A', '123', '9'.repeat(201)])('%s names no award', (number) => {
  expect(awardIdentifier(number)).toBeUndefined();
});
