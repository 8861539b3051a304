import { fileURLToPath } from 'node:url';
import { contactSpans } from '@ces/proto/contact-details';
import { describe, expect, test } from 'vitest';
import { sources } from '../src/sources/registry.ts';
import { readFile } from '../test-support/read-file.ts';
import { summarise } from '../test-support/read-source.ts';
import { COMPANY_DOCUMENTS, DOCUMENTS, documentFile } from '../test-support/source-documents.ts';

const MARKUP = /<\/?[a-z][^>]*>/i;

describe.each([...DOCUMENTS, ...COMPANY_DOCUMENTS])('$path', ({ source, path }) => {
  const reading = readFile(source, fileURLToPath(documentFile(path))).then(summarise);

  test('every record is recorded, closes something, is left out or refused by a field', async () => {
    const read = await reading;
    for (const record of read.records) {
      const outcomes = [record.observations, record.closings, record.leftOut, record.refusals].flat();
      expect(outcomes.length).toBeGreaterThan(0);
    }
    for (const refusal of read.refusals) {
      expect(refusal.field).not.toBe('');
      expect(refusal.reason).not.toBe('');
    }
  });

  test('nothing that is recorded carries contacts, markup or more than the record takes', async () => {
    const { observations } = await reading;
    for (const one of observations) {
      for (const text of [one.company.name, one.title ?? '', one.observedFact, one.whyItMayMatter, ...one.excerpts]) {
        expect(contactSpans(text)).toEqual([]);
        expect(text).not.toMatch(MARKUP);
        expect(text.trim()).not.toBe('');
      }
      for (const excerpt of one.excerpts) expect([...excerpt].length).toBeLessThanOrEqual(600);
      expect([...one.observedFact].length).toBeLessThanOrEqual(2000);
      expect(one.sourceUri).toMatch(/^https?:\/\//);
      expect(source.kinds).toContain(one.kind);
    }
  });

  test('excerpts are passages of the text that the kept content gives again', async () => {
    const { records, raws } = await reading;
    for (const [index, record] of records.entries())
      for (const { excerpts } of record.observations)
        for (const excerpt of excerpts) expect(source.extract(raws[index]?.content ?? '')).toContain(excerpt);
  });

  test('the source is registered', () => {
    expect(sources.map(({ name }) => name)).toContain(source.name);
  });
});
