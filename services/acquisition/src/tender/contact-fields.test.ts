import { expect, test } from 'vitest';
import { contactNames, withoutNames } from './contact-fields.ts';

test.each([
  'Ada Quayle',
  'Quayle, Ada',
  'ADA QUAYLE',
  'Ada Quayle, Contract Specialist, Phone 902-555-0142, Email ada@quay.example',
  'Name: Ada Quayle, Title: Buyer',
  'Ada Quayle, 902-555-0142\n\nQuay Office',
])('%s names a person, in either order and whatever the case', (field) => {
  const names = contactNames([field]);
  const text = 'Ask Ada Quayle or QUAYLE, ADA of Harbour Works; Ada Quayleson is another.';
  expect(withoutNames({ text: [text] }, names)).toEqual({
    text: ['Ask [name] or [name] of Harbour Works; Ada Quayleson is another.'],
  });
});

test('several persons in one field are all taken out, a second given name or not', () => {
  const names = contactNames([[{ fullName: 'Ada M. Quayle' }, 'Max Weir,618-555-0142;Ida Sluice']]);
  expect(withoutNames('Ada Quayle, Max Weir and Ida Sluice', names)).toBe('[name], [name] and [name]');
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
  expect(withoutNames('Lamps', contactNames(['Ada Quayle']))).toBe('Lamps');
});
