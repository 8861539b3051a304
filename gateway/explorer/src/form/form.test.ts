import { expect, test } from 'vitest';
import { countFilters, readForm, writeForm } from './form.ts';

test('an address and the form that it describes are one', () => {
  const address =
    'q=cold+storage&not-domains=a.ca+b.com&occurred=90d&limit=5&kind=procurement_request&country=CA&class=proxy&background=yes';
  expect(writeForm(readForm(address))).toBe(address);
  expect(readForm(address)).toMatchObject({ query: 'cold storage', countries: ['CA'], limit: '5', background: true });
});

test('an empty form is an empty address', () => {
  expect(writeForm(readForm(''))).toBe('');
});

test('values that no control has are dropped', () => {
  expect(readForm('kind=job_posting&country=FR&class=none')).toMatchObject({
    kinds: [],
    countries: [],
    demandClasses: [],
  });
});

test('restricting filters are counted, the size of the answer is not', () => {
  expect(countFilters(readForm('q=x&limit=5&target=50'))).toBe(0);
  expect(countFilters(readForm('q=x&country=CA&country=US&domains=a.ca&occurred=7d'))).toBe(3);
});
