// @module-tag nightly
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { placesOf } from '../test-support/hostile-documents.ts';
import { documentOfText, readDocument } from '../test-support/read-file.ts';
import { COMPANY_DOCUMENTS, DOCUMENTS, documentFile } from '../test-support/source-documents.ts';

/** These sources keep documents as filed. */
const KEPT_AS_FILED: ReadonlySet<string> = new Set(['sec_8k', 'sec_form_d']);
const PLANTED = [
  'Ask jane.roe@agency.example, jane [at] agency [dot] example or 613-555-0142 for the forms of 40 lamps.',
  'jane.roe@agency.example',
  'Ask jane&#64;agency.example, jane@\u00adagency\u200b.example, jane<b>@</b>agency.example, jane [@] agency (.) example or jane @ agency . io.',
  'Call 613-555-0142x23, 613 - 555 - 0142, 613/555/0142, 613&#45;555&ndash;0142, 613-<i>555</i>-0142 or 613•555•0142.',
];
const CONTACT = /(?<!https?:\/\/\S{0,300})(?:jane|0142)/;

describe.each([...DOCUMENTS, ...COMPANY_DOCUMENTS].filter(({ source }) => !KEPT_AS_FILED.has(source.name)))(
  '$path',
  ({ source, path }) => {
    test('an address or a number in any text is neither kept nor recorded', async () => {
      const sample = readFileSync(documentFile(path), 'utf8');
      const found = new Set<string>();
      for (const [at, place] of placesOf(path, sample).entries())
        for (const text of PLANTED) {
          const { raws, records } = await readDocument(source, documentOfText(place(text)));
          for (const { content } of raws)
            if (CONTACT.test(content)) found.add(`kept, place ${at}: ${aroundOf(content)}`);
          for (const one of records.flatMap(({ observations }) => observations))
            for (const shown of [one.company.name, one.title ?? '', one.observedFact, ...one.excerpts])
              if (CONTACT.test(shown)) found.add(`recorded, place ${at}: ${aroundOf(shown)}`);
        }
      expect([...found]).toEqual([]);
    });
  },
);

function aroundOf(text: string): string {
  const at = text.search(CONTACT);
  return text.slice(Math.max(0, at - 60), at + 20);
}
