import { expect, test } from 'vitest';
import { findContactDetail } from './contact-details.ts';

test.each([
  ['Write to jane.doe+bids@mail.agency.example today.', 'an e-mail address'],
  ['élise@société.example', 'an e-mail address'],
  ['Phone: 613-555-0142, fax later', 'a telephone number'],
  ['(613)555-0142', 'a telephone number'],
  ['1 800 555 0142', 'a telephone number'],
  ['613.555.0142', 'a telephone number'],
])('%s carries %s', (text, detail) => {
  expect(findContactDetail(text)).toBe(detail);
});

test.each([
  'DFARS 252.211-7003, clause 252.227-7018',
  'Solicitation 123-456-7890-1234 and W8484-125345/A',
  'Accession 0001193125-26-009087, filed 2026-01-09',
  'The package @example/core and the handle @example',
  'US$148.7 million in 2012-2014',
])('%s carries none', (text) => {
  expect(findContactDetail(text)).toBeUndefined();
});
