import { describe, expect, test } from 'vitest';
import { type IdentifierScheme, isIdentifierScheme, normalIdentifier } from './registry-identifier.ts';

describe('a number is compared without what is only written', () => {
  test.each<[IdentifierScheme, string, string]>([
    ['cik', '0000320193', '320193'],
    ['lei', '5493001kjtiigc8y1r12', '5493001KJTIIGC8Y1R12'],
    ['uei', 'zmxahh8m8vl8', 'ZMXAHH8M8VL8'],
    ['bn', '123456782RC0001', '123456782'],
    ['bn', '123456782 RT 0001', '123456782'],
    ['ein', '94-2404110', '942404110'],
    ['ein', '942404110', '942404110'],
    ['duns', '06-070-4780', '060704780'],
    ['cage', '1abc5', '1ABC5'],
    ['isin', 'US0378331005', 'US0378331005'],
    ['bic', 'DEUTDEFFXXX', 'DEUTDEFF'],
    ['bic', 'DEUTDEFF500', 'DEUTDEFF500'],
    ['register', 'RA000602: 2758229', 'RA000602:2758229'],
    ['register', 'RA000242:HRB 7042', 'RA000242:HRB7042'],
    ['opencorporates', 'us_de/2758229', 'US_DE/2758229'],
    ['spglobal', 'IQ24937', '24937'],
  ])('%s %s', (scheme, written, compared) => {
    expect(normalIdentifier(scheme, written)).toBe(compared);
  });
});

describe('a value with a wrong form or wrong check digits is not an identifier', () => {
  test.each<[IdentifierScheme, string]>([
    ['cik', '0'],
    ['cik', '12345678901'],
    ['cik', '1-2'],
    ['lei', '5493001KJTIIGC8Y1R13'],
    ['lei', '5493001KJTIIGC8Y1R1'],
    ['uei', 'ZMXAHH8M8VO8'],
    ['uei', '0MXAHH8M8VL8'],
    ['bn', '123456789'],
    ['bn', '12345678'],
    ['ein', '001234567'],
    ['ein', '9-42404110'],
    ['duns', '0'],
    ['duns', '1234567890'],
    ['cage', 'ABCDE'],
    ['cage', '1ABI5'],
    ['isin', 'US0378331006'],
    ['isin', '030378331005'],
    ['bic', 'DEUTDEF'],
    ['register', '2758229'],
    ['register', 'RA000602:'],
    ['register', 'RA000602:0'],
    ['register', 'RA999999:2758229'],
    ['opencorporates', 'delaware/2758229'],
    ['spglobal', '0'],
    ['isin', `US0378331005${' '.repeat(64)}`],
  ])('%s %s', (scheme, value) => {
    expect(normalIdentifier(scheme, value)).toBeUndefined();
  });
});

describe('a number truncated to zeros, or a placeholder, is not an identifier', () => {
  test.each<[IdentifierScheme, string]>([
    ['bn', '888791000'],
    ['bn', '101840000'],
    // Its check digit is valid by chance.
    ['bn', '100009000'],
    ['duns', '201840000'],
    ['duns', '000000000'],
    ['ein', '99-9999999'],
    ['ein', '12-3456789'],
    ['cage', '00000'],
  ])('%s %s', (scheme, value) => {
    expect(normalIdentifier(scheme, value)).toBeUndefined();
  });
});

test('a scheme is one of the list, whatever objects inherit', () => {
  expect(isIdentifierScheme('register')).toBe(true);
  expect(isIdentifierScheme('constructor')).toBe(false);
  expect(isIdentifierScheme('ticker')).toBe(false);
});
