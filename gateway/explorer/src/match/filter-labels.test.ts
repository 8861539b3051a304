import { expect, test } from 'vitest';
import { filterLabels } from './filter-labels.ts';

test('each filter is one label, its values alternatives', () => {
  expect(
    filterLabels({
      kinds: ['procurement_request', 'facility_expansion'],
      countries: ['CA'],
      occurred_after: '2026-10-31T00:00:00.000Z',
      domains: ['a.ca', 'b.ca'],
      exclude_domains: ['c.ca'],
    }),
  ).toEqual([
    'Procurement request or Facility expansion',
    'Canada',
    'happened since Oct 31, 2026',
    'one of 2 companies that you named',
    'without 1 company that you excluded',
  ]);
});

test('a search without filters has no label', () => {
  expect(filterLabels()).toEqual([]);
  expect(filterLabels({ kinds: [] })).toEqual([]);
});
