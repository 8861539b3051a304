import { superlinear } from '@ces/test/support/growth.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CONTACTS, NO_CONTACTS, texts } from '../test-support/contact-samples.ts';
import { contactSpans, findContactDetail, withContactsMarked, withoutContacts } from './contact-details.ts';

describe('contactSpans', () => {
  test.each(CONTACTS)('finds %s inside a sentence, whole', (contact) => {
    const text = `Questions go to ${contact}, please.`;
    const found = contactSpans(text).map(({ start, end }) => text.slice(start, end));
    expect(found).toHaveLength(1);
    expect(found[0]).toContain(/\d{3}\D?\d{4}\D*\d*$|\S+$/.exec(contact)?.[0]);
  });

  test.each(NO_CONTACTS)('does not change %s', (text) => {
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

describe('withContactsMarked', () => {
  test('a mark replaces a contact: the quoting code treats it as a contact, the record does not', () => {
    const marked = withContactsMarked('Acme (jane@acme.example) bids, see 613-555-0142.');
    expect(marked).toBe('Acme ([contact]) bids, see [contact].');
    expect(contactSpans(marked)).toHaveLength(2);
    expect(findContactDetail(marked)).toBeUndefined();
    expect(withoutContacts(`${marked} Ask [name].`)).toBe('Acme bids, see. Ask.');
  });

  test('a text that was marked carries none', () => {
    fc.assert(
      fc.property(texts(), (text) => {
        expect(findContactDetail(withContactsMarked(text))).toBeUndefined();
      }),
    );
  });
});

describe('findContactDetail', () => {
  test.each([
    ['Write to jane.doe+bids@mail.agency.example today.', 'an e-mail address'],
    ['élise@société.example', 'an e-mail address'],
    ['Phone: 613-555-0142, fax later', 'a telephone number'],
    ['(613)555-0142', 'a telephone number'],
    ['1 800 555 0142', 'a telephone number'],
    ['613.555.0142', 'a telephone number'],
    ['Call (613) 555–0142 today', 'a telephone number'],
    ['613 – 555 – 0142', 'a telephone number'],
    ['613·555·0142', 'a telephone number'],
    ['613‑555‑0142', 'a telephone number'],
    ['Clause 252.211-7003, call 613.555-0142', 'a telephone number'],
  ])('%s carries %s', (text, detail) => {
    expect(findContactDetail(text)).toBe(detail);
  });

  test.each([
    'DFARS 252.211-7003, FAR 52.212-4, clause 252.227-7018',
    'Solicitation 123-456-7890-1234 and W8484-125345/A',
    'Accession 0001193125-26-009087, filed 2026-01-09',
    'The package @example/core and the handle @example',
    'US$148.7 million in 2012-2014',
    'Pages 100–200, 2010–2014, for 250 – 500 units',
  ])('%s carries none', (text) => {
    expect(findContactDetail(text)).toBeUndefined();
  });

  test.each(['a@b.example ', 'a [', '613.555-0142 ', '[]'])(
    '%j again and again is cleaned in proportion',
    { tags: 'nightly' },
    (pump) => {
      const make = (size: number) => pump.repeat(size) + 'a@b.example at] b.example'.repeat(size);
      expect(superlinear(make, withoutContacts, { from: 1_024, to: 16_384 })).toBeUndefined();
    },
  );

  test('contacts inside each other leave nothing, and few of them leave the rest', () => {
    const nested = (times: number) => `Ab ${'a ['.repeat(times)}a@b.example${' at] b.example'.repeat(times)}`;
    expect(withoutContacts(nested(3))).toBe('Ab');
    expect(withoutContacts(nested(3_000))).toBe('');
  });

  test('a text that was cleaned carries none', () => {
    fc.assert(
      fc.property(texts(), (text) => {
        expect(findContactDetail(withoutContacts(text))).toBeUndefined();
      }),
    );
  });
});
