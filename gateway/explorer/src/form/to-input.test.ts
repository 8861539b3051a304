import { expect, test } from 'vitest';
import { readForm } from './form.ts';
import { toInput } from './to-input.ts';

const AT = { now: new Date('2026-11-25T12:34:00Z'), maxLimit: 25 };

function inputOf(search: string) {
  return toInput(readForm(search), AT);
}

test('inputs left at their default are absent', () => {
  expect(inputOf('q=+cold+storage+')).toEqual({ input: { query: 'cold storage' } });
});

test('controls become the filters of the interface', () => {
  const { input } = inputOf(
    'q=x&kind=procurement_request&country=CA&class=proxy&ids=1,2&domains=a.ca+b.com&not-ids=3&not-domains=c.org;d.net&occurred=90d&collected=2026-11-01&limit=5&target=50',
  );
  expect(input).toEqual({
    query: 'x',
    filters: {
      kinds: ['procurement_request'],
      countries: ['CA'],
      demand_classes: ['proxy'],
      company_ids: [1, 2],
      domains: ['a.ca', 'b.com'],
      exclude_company_ids: [3],
      exclude_domains: ['c.org', 'd.net'],
      occurred_after: '2026-08-27T00:00:00.000Z',
      observed_after: '2026-11-01T00:00:00.000Z',
    },
    limit: 5,
    target: 50,
  });
});

test('a mistake is shown at its control before anything is sent', () => {
  const { problems } = inputOf(
    'q=+&limit=26&target=1001&ids=0x1&domains=https://a.ca&occurred=date&collected=2026-13-45',
  );
  expect(Object.keys(problems ?? {}).sort()).toEqual([
    'companyIds',
    'domains',
    'limit',
    'observedAfter',
    'occurredAfter',
    'query',
    'target',
  ]);
  expect(inputOf('q=x&limit=10&target=5').problems).toEqual({ target: 'Enter at least the page size.' });
});

test('an instant is sent as it is, for what is new since an answer', () => {
  const { input } = inputOf('q=x&collected=2026-11-22T13:33:11.682Z');
  expect(input?.filters).toEqual({ observed_after: '2026-11-22T13:33:11.682Z' });
});
