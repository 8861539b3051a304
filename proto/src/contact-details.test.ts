import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CONTACTS, NO_CONTACTS, texts } from '../test-support/contact-samples.ts';
import { contactSpans, withoutContacts } from './contact-details.ts';

describe('contactSpans', () => {
  test.each(CONTACTS)('finds %s inside a sentence, whole', (contact) => {
    const text = `Questions go to ${contact}, please.`;
    const found = contactSpans(text).map(({ start, end }) => text.slice(start, end));
    expect(found).toHaveLength(1);
    expect(found[0]).toContain(/\d{3}\D?\d{4}\D*\d*$|\S+$/.exec(contact)?.[0]);
  });

  test.each(NO_CONTACTS)('leaves %s alone', (text) => {
    expect(contactSpans(text)).toEqual([]);
  });

  test('spans come in order and never touch each other', () => {
    fc.assert(
      fc.property(texts(), (text) => {
        const spans = contactSpans(text);
        for (const [index, span] of spans.entries()) {
          expect(span.end).toBeGreaterThan(span.start);
          expect(span.start).toBeGreaterThan(spans[index - 1]?.end ?? -1);
        }
      }),
    );
  });
});

describe('withoutContacts', () => {
  test('takes contacts out and tidies what they leave', () => {
    expect(withoutContacts('Acme (jane@acme.example) bids, see 613-555-0142.')).toBe('Acme bids, see.');
  });

  test('a text without contacts stays as it is', () => {
    for (const text of NO_CONTACTS) expect(withoutContacts(text)).toBe(text);
  });

  test('nothing that looks like a contact is left in any text', () => {
    fc.assert(
      fc.property(texts(), (text) => {
        expect(contactSpans(withoutContacts(text))).toEqual([]);
      }),
    );
  });
});
