import { describe, expect, test } from 'vitest';
import { federalIdentifier, isFederalNumber, solicitationIdentifier } from './solicitation.ts';

const OFFICE = 'LOCKS OFFICE WEST';
const federal = (number: string, ...classes: string[]) => federalIdentifier(number, OFFICE, classes)?.value;

test.each(['W8486-138507/A', ' 47PF0018R0023 ', '14-0004'])('%s names a solicitation', (number) => {
  expect(solicitationIdentifier(number)).toEqual({ scheme: 'solicitation', value: number.trim() });
});

test.each([undefined, '', 'TBD', 'N/A', 'RFI 1', 'Amendment 1', '9'.repeat(201)])('%s names none', (number) => {
  expect(solicitationIdentifier(number)).toBeUndefined();
});

test.each([
  ['25-58049 Amendment 8 Modification', '25-58049'],
  ['WX000-270001/A (Amd 003)', 'WX000-270001/A'],
  ['WX000-270001/A, révision 2', 'WX000-270001/A'],
  ['RFP 2026-025', '2026-025'],
  ['Solicitation No. WX000-270001/A', 'WX000-270001/A'],
  ['MODERN-2027-01', 'MODERN-2027-01'],
  ['Amendment 003', 'Amendment 003'],
])('%s is the number %s', (cell, number) => {
  expect(solicitationIdentifier(cell)?.value).toBe(number);
});

test('a year and a serial number are anyone’s, so the issuer is named with them', () => {
  expect(solicitationIdentifier('2026-27-00012', 'Harbour Works')?.value).toBe('2026-27-00012 Harbour Works');
  expect(solicitationIdentifier('2026-025', 'Harbour Works')?.value).toBe('2026-025');
  expect(solicitationIdentifier('WX000-270001/A', 'Harbour Works')?.value).toBe('WX000-270001/A');
});

describe('numbers of offices of the United States', () => {
  test.each(['W9AB01-27-R-0001', 'W9AB0127R0001', 'w9ab01-27-r-0001', 'N9002427SN-20', 'VA26127R0014'])(
    '%s is unique in the country',
    (number) => {
      expect(federal(number)).toBe(number);
      expect(isFederalNumber(number)).toBe(true);
    },
  );

  test('the year before a number that says it again is not part of it', () => {
    expect(federal('2027-W9AB0127Q0054')).toBe('W9AB0127Q0054');
    expect(federal('2026-W9AB0127Q0054')).toBe(`2026-W9AB0127Q0054 ${OFFICE}`);
  });

  test.each(['473749', '27-0004', 'DEMO-BAA-27-30', 'RFQ1698822'])('%s is its office’s own', (number) => {
    expect(federal(number)).toBe(`${number} ${OFFICE}`);
    expect(isFederalNumber(number)).toBe(false);
  });

  test.each(['621I', '7510', '65 I B', 'TBD', 'none-assigned'])('%s is a class or nothing', (number) => {
    expect(federal(number)).toBeUndefined();
  });

  test('the industry of the notice is no number of it', () => {
    expect(federal('561320', '561320', 'Q999')).toBeUndefined();
  });
});
