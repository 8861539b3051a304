import { contactSpans } from '@ces/proto/contact-details';
import { texts } from '@ces/proto/test-support/contact-samples';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cutAtWord, EXCERPT_CODE_POINTS, safePassage } from './passage.ts';

describe('safePassage', () => {
  test('a short text without contacts is its own passage', () => {
    expect(safePassage('  Acme opens a plant in Guelph. ')).toBe('Acme opens a plant in Guelph.');
  });

  test('a passage ends before the sentence that carries a contact', () => {
    const facts = 'The city asks for bids on winter maintenance of 40 km of road, from November to April.';
    expect(safePassage(`${facts} Contact Jane Doe at jane@city.example for the forms. More follows.`)).toBe(facts);
  });

  test('a text that opens with a contact gives a later passage', () => {
    const facts = 'The city asks for bids on winter maintenance of 40 km of road, from November to April.';
    expect(safePassage(`Jane Doe, 613-555-0142. ${facts}`)).toBe(facts);
  });

  test('lines that lead up to a contact go with it: a label, a name, a role', () => {
    const facts = 'Recycling of large vessels\nBuyer: Department of Lighthouses\nWX000-270001/A';
    const contact = 'Quayle, Ada\nSupply Officer\nTelephone No. - (902) 555-0142';
    expect(safePassage(`${facts}\n${contact}\nMore.`)).toBe(facts);
  });

  test('an abbreviation before a contact ends no sentence, and a short text before it is enough', () => {
    expect(safePassage('Lamps for the quay\nAsk Mr. Quayle, Tel. no. 902-555-0142')).toBe('Lamps for the quay');
  });

  test('further spans that must not be quoted are left out', () => {
    const names = (text: string) =>
      [...text.matchAll(/Quayle/g)].map(({ index }) => ({ start: index, end: index + 6 }));
    expect(safePassage('Forty lamps. Forms are with Quayle.', 600, names)).toBe('Forty lamps.');
  });

  test('a text that is nothing but a contact gives none', () => {
    expect(safePassage('jane@city.example')).toBeUndefined();
    expect(safePassage(' \n ')).toBeUndefined();
  });

  test('any passage is a piece of its text, holds no contact, is not blank and is at most 600 code points long', () => {
    fc.assert(
      fc.property(texts(), (text) => {
        const passage = safePassage(text);
        if (passage === undefined) return;
        expect(text).toContain(passage);
        expect(contactSpans(passage)).toEqual([]);
        expect(passage.trim()).not.toBe('');
        expect([...passage].length).toBeLessThanOrEqual(EXCERPT_CODE_POINTS);
      }),
      { numRuns: 500 },
    );
  });
});

describe('cutAtWord', () => {
  test('a cut falls on the last word boundary within the limit', () => {
    expect(cutAtWord('one two three', 7)).toBe('one two');
    expect(cutAtWord('one two three', 8)).toBe('one two');
    expect(cutAtWord('one two three', 6)).toBe('one');
    expect(cutAtWord('one two three', 13)).toBe('one two three');
  });

  test('a word longer than the limit is cut hard, never inside a code point', () => {
    expect(cutAtWord('😀😀😀😀', 3)).toBe('😀😀😀');
  });

  test('a cut text is the beginning of its text and stops at a boundary unless its first word is too long', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), fc.integer({ min: 1, max: 60 }), (text, limit) => {
        const cut = cutAtWord(text, limit);
        const trimmed = text.trim();
        expect(trimmed.startsWith(cut)).toBe(true);
        expect([...cut].length).toBeLessThanOrEqual(limit);
        const rest = trimmed.slice(cut.length);
        const firstWordTooLong = [...(/^\S*/.exec(trimmed)?.[0] ?? '')].length > limit;
        expect(rest === '' || /^\s/.test(rest) || firstWordTooLong).toBe(true);
      }),
    );
  });
});
