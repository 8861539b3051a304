import { withoutContacts } from '@ces/proto/contact-details';
import { ADDRESSES, NO_CONTACTS, TELEPHONE_NUMBERS, texts } from '@ces/proto/test-support/contact-samples';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anObservation, aPassage } from '../../test-support/records.ts';
import { checkObservation } from './check-observation.ts';

function refusalOf(field: 'observedFact' | 'whyItMayMatter' | 'excerpt', text: string): string | undefined {
  const fields = field === 'excerpt' ? { evidence: [aPassage(text)] } : { [field]: text };
  const checked = checkObservation('a source', anObservation('a key', 'a company', fields));
  return checked.ok ? undefined : checked.reason;
}

test.each([
  ...ADDRESSES.map((contact) => [contact, 'an e-mail address']),
  ...TELEPHONE_NUMBERS.map((contact) => [contact, 'a telephone number']),
])('a text with %s is refused wherever it is', (contact, detail) => {
  const text = `Questions go to ${contact}, please.`;
  expect(refusalOf('observedFact', text)).toBe(`observed_fact contains ${detail}`);
  expect(refusalOf('whyItMayMatter', text)).toBe(`why_it_may_matter contains ${detail}`);
  expect(refusalOf('excerpt', text)).toBe(`excerpt contains ${detail}`);
});

test.each([
  ...NO_CONTACTS,
  'DFARS 252.211-7003, clause 252.227-7018',
  'Solicitation 123-456-7890-1234 and W8484-125345/A',
  'Accession 0001193125-26-009087, filed 2026-01-09',
  'The package @example/core and the handle @example',
  'US$148.7 million in 2012-2014',
])('%s is no contact and is recorded', (text) => {
  expect(refusalOf('observedFact', text)).toBeUndefined();
  expect(refusalOf('excerpt', text)).toBeUndefined();
});

test('text that sources remove is refused, and text that they keep is accepted', () => {
  const recordable = texts().filter((text) => text.trim() !== '' && text.length <= 600 && !text.includes('\0'));
  fc.assert(
    fc.property(recordable, (text) => {
      const cleaned = withoutContacts(text);
      const isClean = cleaned === text;
      expect(refusalOf('excerpt', text) === undefined).toBe(isClean);
      if (cleaned.trim() !== '') expect(refusalOf('excerpt', cleaned)).toBeUndefined();
    }),
  );
});
