import { expect, test } from 'vitest';
import { contactNames } from './contact-fields.ts';
import { keptContent } from './kept-content.ts';

const kept = (value: unknown, dropped?: string[], names?: string[]) => JSON.parse(keptContent(value, dropped, names));

test('addresses and numbers of every text are marked, and the members of contacts left out', () => {
  const notice = {
    title: 'Lamps',
    texts: ['Write to ada@quay.example or 902-555-0142 by Friday.', '<a href="mailto:ada@quay.example">Ada</a>'],
    apply: 'ada@quay.example',
    contact: { name: 'Ada Quayle' },
  };
  expect(kept(notice, ['contact'])).toEqual({
    title: 'Lamps',
    texts: ['Write to [contact] or [contact] by Friday.', '<a href="mailto:[contact]">Ada</a>'],
    apply: '[contact]',
  });
});

test('an address that holds the name of a contact person is marked whole', () => {
  const description = 'Ask Ada Quayle, ada.quayle@quay.example.';
  expect(kept({ description }, [], contactNames(['Ada Quayle']))).toEqual({ description: 'Ask [name], [contact].' });
});

test('a number of a thing is not a telephone number, and neither is a clause', () => {
  const notice = { number: '613-555-0142', description: 'Clause 252.211-7003 holds.' };
  expect(kept(notice)).toEqual(notice);
});

test('the order of members says nothing', () => {
  expect(keptContent({ b: 1, a: 'x@y.ca' })).toBe(keptContent({ a: 'z@y.ca', b: 1 }));
});

test.each([
  'jane&#64;agency.example',
  'jane&commat;agency.example',
  '(613)555-0142',
  '+16135550142',
  'tel:613-555-0142',
  'tel:%2B16135550142',
  'sms:6135550142',
  'wa.me/16135550142',
  'jane%40agency.example',
  'jane_at_agency_dot_ca',
])('one word that reaches a person is marked: %s', (text) => {
  expect(kept({ text }).text).toMatch(/^(?:tel:)?\[contact\]$/);
});

test.each([
  'Rene\u0301e Co\u0302te\u0301',
  'Ren&eacute;e C&ocirc;t&eacute;',
  'RENEE COTE',
  'Ren\u00ade\u0301e\u200b Côté',
])('a name that a contact field gives is marked however its accents are written: %s', (name) => {
  const description = `Ask ${name}, please.`;
  expect(kept({ description }, [], contactNames(['Renée Côté']))).toEqual({ description: 'Ask [name], please.' });
  expect(kept({ description: 'Ask Renée Côté, please.' }, [], contactNames([name]))).toEqual({
    description: 'Ask [name], please.',
  });
});
