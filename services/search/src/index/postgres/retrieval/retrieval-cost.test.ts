import { Country, Kind } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import { expect, test } from 'vitest';
import { filters } from '../../../../test-support/documents.ts';
import { costOf, passingShare } from './retrieval-cost.ts';

const NOTHING_KNOWN = { kind: new Map(), country: new Map() };
const KNOWN = {
  kind: new Map([
    [Kind.PROCUREMENT_REQUEST, 0.5],
    [Kind.FACILITY_EXPANSION, 0.25],
  ]),
  country: new Map([[Country.US, 0.75]]),
};

test('filters let through the sum of their kinds in the sum of their countries', () => {
  const kinds = [Kind.PROCUREMENT_REQUEST, Kind.FACILITY_EXPANSION];
  expect(passingShare(filters({ kinds }), KNOWN)).toBe(0.75);
  expect(passingShare(filters({ kinds, countries: [Country.US] }), KNOWN)).toBe(0.75 * 0.75);
});

test('a kind that the statistics do not know is rare', () => {
  expect(passingShare(filters({ kinds: [Kind.PARTNERSHIP] }), KNOWN)).toBe(0);
});

test('before anything is counted, filters are taken to let everything through', () => {
  const narrow = filters({ kinds: [Kind.PARTNERSHIP], countries: [Country.CA] });
  expect(passingShare(narrow, NOTHING_KNOWN)).toBe(1);
});

test('what filters leave out costs less than what is scored, and more than nothing', () => {
  const inside = (passing: number) => costOf(100, { documents: 1_000, share: 0.5, passing });
  expect(inside(1)).toBe(50);
  expect(inside(0)).toBeGreaterThan(0);
  expect(inside(0)).toBeLessThan(inside(0.5));
  expect(inside(0.5)).toBeLessThan(50);
});
