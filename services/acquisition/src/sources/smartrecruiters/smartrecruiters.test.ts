import { expect, test } from 'vitest';
import { readBeside, titled } from '../../../test-support/read-source.ts';
import { smartrecruiters } from './source.ts';

const page = await readBeside(import.meta.url, 'documents/postings.json', smartrecruiters);
const posting = await readBeside(import.meta.url, 'documents/posting.json', smartrecruiters);
const TITLE = 'Soudeuse ou soudeur d’écluses';

test('a row of the list is a position of its company at the place of work, dated by its release', () => {
  expect(titled(page, TITLE)).toMatchObject({
    key: 'Weirworks2/744000000000001',
    kind: 'job_posting',
    company: { key: 'company Weirworks2', name: 'Weirworks', country: 'CA' },
    observedFact: `Weirworks is hiring: ${TITLE} (Trois-Rivières, QC, Canada)`,
    country: 'CA',
    occurredAt: new Date('2026-03-02T18:18:52.891Z'),
    sourceUri: 'https://jobs.smartrecruiters.com/Weirworks2/744000000000001',
    excerpts: [
      `${TITLE}\nWeirworks\nTrois-Rivières, QC, Canada\nAteliers\nProduction\nConstruction\nFull-time\nAssociate`,
    ],
  });
});

test('the posting with its description is evidence of the same event, and of the tools that it names', () => {
  const [row, described] = [titled(page, TITLE), titled(posting, TITLE)];
  expect(described.eventIdentifiers).toEqual(row.eventIdentifiers);
  expect(described.key).not.toBe(row.key);
  expect(described.excerpts[0]).toContain('Weirworks entretient les écluses du Saint-Laurent.');
  expect(titled(posting, 'Uses AutoCAD').excerpts[0]).toContain('Vos plans sont dans AutoCAD.');
});

test('the description is requested once, and only for work in Canada and the United States', () => {
  expect(page.followUps.map(({ url, once }) => [url, once])).toEqual(
    [1, 3, 4].map((number) => [
      `https://api.smartrecruiters.com/v1/companies/Weirworks2/postings/74400000000000${number}`,
      true,
    ]),
  );
});

test('internal postings are left out, and those without a place or date are refused by the field', () => {
  expect(page.leftOut).toEqual(['is not open to everybody']);
  expect(page.refused).toEqual(['country is neither Canada nor the United States', 'releasedDate is no date']);
});

test('internal fields of an employer and persons are in no raw record', () => {
  const kept = [...page.raws, ...posting.raws].map(({ content }) => content).join('\n');
  expect(kept).not.toMatch(/Somebody|customField|creator|applyUrl/);
});
