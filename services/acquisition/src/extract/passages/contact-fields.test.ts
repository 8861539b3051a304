import { expect, test } from 'vitest';
import { contactNames, withoutNames } from './contact-fields.ts';

test.each([
  'Ada Quayle',
  'Quayle, Ada',
  'ADA QUAYLE',
  'Ada Quayle, Contract Specialist, Phone 902-555-0142, Email ada@quay.example',
  'Name: Ada Quayle, Title: Buyer',
  'Ada Quayle, 902-555-0142\n\nQuay Office',
  'Ada A. Quayle 902-555-0142',
  'ada.quayle1, 902-555-0142',
  'Ada Quayle Jr, Buyer',
])('%s names a person, in either order and whatever the case', (field) => {
  const names = contactNames([field]);
  const description = ['Ask Ada&amp;nbsp; Quayle or QUAYLE, ADA of Harbour Works; Ada Quayleson is another.'];
  expect(withoutNames({ description, buyer: 'Ada Quayle Works' }, names)).toEqual({
    description: ['Ask [name] or [name] of Harbour Works; Ada Quayleson is another.'],
    buyer: 'Ada Quayle Works',
  });
});

test('several persons in one field are all taken out, a second given name or not', () => {
  const names = contactNames([[{ fullName: 'Ada M. Quayle' }, 'Max Weir,618-555-0142;Ida Sluice']]);
  expect(withoutNames({ title: 'Ada Quayle, Max Weir and Ida Sluice' }, names)).toEqual({
    title: '[name], [name] and [name]',
  });
});

test.each([
  'Harbour Works Canada',
  'Contracting Office',
  'Questions regarding this solicitation go to the buyer in block 5',
  'help@quay.example',
  '',
])('%s is no person', (field) => {
  expect(contactNames([field])).toEqual([]);
});

test('a text without the names stays as it is', () => {
  expect(withoutNames({ title: 'Lamps' }, contactNames(['Ada Quayle']))).toEqual({ title: 'Lamps' });
});
