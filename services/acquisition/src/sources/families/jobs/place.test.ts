import { expect, test } from 'vitest';
import { countryOfWork, type WorkPlace } from './place.ts';

const AT: WorkPlace = { field: 'location', place: undefined, remote: false, employer: undefined };

test.each([
  ['Toronto, ON', 'CA'],
  ['Toronto, ON, CA', 'CA'],
  ['Berlin, Germany; Austin, TX', 'US'],
  ['Wilmington, DE', 'US'],
  ['Montréal, Québec, Canada', 'CA'],
  ['Remote (United States)', 'US'],
  ['Palo Alto, CA', 'US'],
  ['New Berlin, WI', 'US'],
] as const)('%s is in %s', (place, country) => {
  expect(countryOfWork({ ...AT, place })).toBe(country);
});

test.each([
  'Berlin, DE',
  'Bengaluru, Karnataka, IN',
  'Tel Aviv, IL',
  'Bogotá, CO',
  'London, United Kingdom',
  'India (IN)',
  'IN - Bangalore',
  'Tbilisi, Georgia',
  'Nuremberg, DE',
  'Maine, France',
  'Perth, WA',
  'Amsterdam, NL',
  'Remote',
  '',
])('a job in "%s" is refused by the field', (place) => {
  expect(() => countryOfWork({ ...AT, place })).toThrow('location names no place in Canada or the United States');
});

test('remote work is where the employer is, unless it says where', () => {
  expect(countryOfWork({ ...AT, place: 'Remote', remote: true, employer: 'CA' })).toBe('CA');
  expect(countryOfWork({ ...AT, place: 'Remote, US', remote: true, employer: 'CA' })).toBe('US');
  expect(() => countryOfWork({ ...AT, place: 'Remote, Germany', remote: true, employer: 'CA' })).toThrow('location');
});

test('remote work in a place that may lie in several countries is not where the employer is', () => {
  for (const place of ['Remote, CA', 'Remote - Georgia', 'Remote (IN)'])
    expect(() => countryOfWork({ ...AT, place, remote: true, employer: 'US' }), place).toThrow('location');
});
