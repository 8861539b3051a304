// @module-tag nightly
import { readdir } from 'node:fs/promises';
import { contactSpans } from '@ces/proto/contact-details';
import { expect, test } from 'vitest';
import type { Source } from '../src/connector/source.ts';
import type { ReadObservation } from '../src/ingest/read-record.ts';
import { canadabuys } from '../src/sources/canadabuys/source.ts';
import { canadabuysAwards } from '../src/sources/canadabuys-awards/source.ts';
import { fbo } from '../src/sources/fbo/source.ts';
import { ocds } from '../src/sources/ocds/source.ts';
import { samApi } from '../src/sources/sam-api/source.ts';
import { contactFieldsOf, contactTexts, namesIn, valuesIn } from '../test-support/contact-names.ts';
import { describePublished, PUBLISHED } from '../test-support/published.ts';
import { documentOfText, readDocument, readFile } from '../test-support/read-file.ts';

const WHOLE_FILES_MS = 180_000;

const DOCUMENTS: readonly (readonly [folder: string, pattern: RegExp, source: Source])[] = [
  ['fixtures/canadabuys', /^(?!award).*\.csv$/, canadabuys],
  ['fixtures/canadabuys', /^award.*\.csv$/, canadabuysAwards],
  ['fixtures/sam_gov', /\.json(?:\.txt)?$/, samApi],
  ['fixtures/ocds', /\.json$/, ocds],
  ['raw/ocds_buyandsell', /\.json\.gz$/, ocds],
  ['fixtures/fbo_legacy', /\.(?:bulk|json)$/, fbo],
  ['raw/fbo', /\.(?:bulk|json\.gz|jsonl\.gz)$/, fbo],
];

/**
 * Words before the name of a person, written independently of the rules. A name of two words
 * follows.
 */
const ANNOUNCED: readonly RegExp[] = [
  /\b(?:contact(?: person| name)?|attention|attn|point of contact|poc|personne[ -]ressource|contracting (?:officer|authority|specialist)|contract specialist|purchasing agent|name|nom|autorité contractante|agente? d['’]approvisionnement)\s*[:–-]\s*(?:Mr|Ms|Mrs|Mme|M)?\.?\s?\p{Lu}[\p{L}'’-]+,? \p{Lu}/iu,
  /\b(?:Mr|Ms|Mrs|Mme|Mlle)\.? \p{Lu}\p{Ll}/u,
  /\b[Cc]ontact(?:ing|er)? (?!Cent(?:er|re) )\p{Lu}\p{Ll}+ (?:\p{Lu}\.? )?\p{Lu}\p{Ll}+/u,
  /\p{Lu}\p{Ll}+ \p{Lu}[\p{L}'’-]+,? \(?(?:Contract(?:ing|s)? (?:Specialist|Officer)|Procurement (?:Officer|Specialist)|Supply (?:Officer|Specialist)|Purchasing Agent|Buyer\b)/u,
  /\b(?:telephone|téléphone|télécopieur|phone|fax|courriel|e-?mail)\s?(?:no\.?|number|#)?\s?[:#]/iu,
  /^\p{Lu}[\p{L}'’-]+, \p{Lu}[\p{L}'’-]+$/mu,
];

describePublished('personal data', () => {
  test('nothing that is recorded of any tender carries a contact, or the name of a person to turn to', {
    timeout: WHOLE_FILES_MS,
  }, async () => {
    const found: string[] = [];
    let texts = 0;
    let names = 0;
    for (const [folder, pattern, source] of DOCUMENTS)
      for (const file of (await readdir(PUBLISHED + folder)).filter((name) => pattern.test(name))) {
        const path = `${PUBLISHED}${folder}/${file}`;
        const persons = namesIn(await contactFieldsOf(path));
        names += persons.length;
        for (const record of (await readFile(source, path)).records)
          for (const text of record.observations.flatMap(recordedTexts)) {
            texts += 1;
            found.push(...personalDataOf(text, persons).map((what) => `${file}: ${what}`));
          }
      }
    expect(found).toEqual([]);
    expect(texts).toBeGreaterThan(20_000);
    expect(names).toBeGreaterThan(150);
  });

  test('nor does what is kept of a notice carry, in title or description, a name that its own contact field gives', {
    timeout: WHOLE_FILES_MS,
  }, async () => {
    for (const file of ['20140401.sample.json.gz', 'test_data.jsonl.gz', 'fbo.bulk']) {
      for (const hit of await valuesIn(`${PUBLISHED}raw/fbo/${file}`)) {
        const persons = namesIn(contactTexts(hit));
        const { raws } = await readDocument(fbo, documentOfText(JSON.stringify([hit])));
        for (const { content } of raws) {
          const { title = '', description = '' }: Record<string, string> = JSON.parse(content);
          expect(personsIn(`${title}\n${description}`, persons)).toEqual([]);
        }
      }
    }
  });
});

function recordedTexts(one: ReadObservation): string[] {
  return [one.company.name, one.title ?? '', one.observedFact, ...one.excerpts];
}

function personalDataOf(text: string, persons: readonly string[]): string[] {
  const announced = ANNOUNCED.flatMap((pattern) => pattern.exec(text)?.[0] ?? []);
  const contacts = contactSpans(text).map(({ start, end }) => text.slice(start, end));
  return [...contacts, ...announced, ...personsIn(text, persons)];
}

function personsIn(text: string, persons: readonly string[]): string[] {
  const folded = ` ${text.toLowerCase().replace(/[^\p{L}]+/gu, ' ')} `;
  return persons.filter((name) => folded.includes(` ${name} `));
}
