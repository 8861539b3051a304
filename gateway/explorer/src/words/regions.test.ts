import { expect, test } from 'vitest';
import { findPlaces, REGIONS } from './regions.ts';

function named(text: string): string[] {
  return findPlaces(text).map(({ city, region }) => `${city ?? '-'} ${region.code}`);
}

test('there are 51 regions of the United States and 13 of Canada, each with its own code', () => {
  expect(REGIONS.filter(({ country }) => country === 'US')).toHaveLength(51);
  expect(REGIONS.filter(({ country }) => country === 'CA')).toHaveLength(13);
  expect(new Set(REGIONS.map(({ code }) => code)).size).toBe(64);
});

test('a region is read with the city before it, by name or abbreviation', () => {
  expect(named('is building in Fresno, California.')).toEqual(['Fresno CA']);
  expect(named('works in Québec City, Québec, and Laval, QC')).toEqual(['Québec City QC', 'Laval QC']);
  expect(named('an office in New York, New York')).toEqual(['New York NY']);
});

test('a list of provinces is not a city and its province, but Ontario is a city of California', () => {
  expect(named('Place of delivery: Nova Scotia, New Brunswick')).toEqual(['- NS', '- NB']);
  expect(named('a depot in Ontario, California')).toEqual(['Ontario CA']);
});

test('a longer name is not read as a shorter one, and places after a city come first', () => {
  expect(named('mines of West Virginia')).toEqual(['- WV']);
  expect(named('Texas is next, after Reno, Nevada')).toEqual(['Reno NV', '- TX']);
});

test('words that look like abbreviations are no places', () => {
  expect(named('bids are due IN MAY OR later; Smith, IT manager')).toEqual([]);
  expect(named('virginal and Californian')).toEqual([]);
});
