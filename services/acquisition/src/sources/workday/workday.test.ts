import { expect, test } from 'vitest';
import { documentOfText, readDocument } from '../../../test-support/read-file.ts';
import { readBeside, summarise, titled } from '../../../test-support/read-source.ts';
import { workday } from './source.ts';

const posting = await readBeside(import.meta.url, 'documents/posting.json', workday);
const list = await readBeside(import.meta.url, 'documents/jobs.json', workday);
const SITE = 'weirworks.wd5/Careers';

/** The posting with other members. */
async function readWith(members: Record<string, unknown>) {
  const [raw] = posting.raws;
  const { site: _, ...info } = JSON.parse(raw?.content ?? '{}') as Record<string, unknown>;
  const text = JSON.stringify({ jobPostingInfo: { ...info, ...members } });
  return summarise(await readDocument(workday, documentOfText(text)));
}

test('a posting is a position of its site at the place of work, dated by its start', () => {
  expect(titled(posting, 'Lock Keeper')).toMatchObject({
    key: `${SITE}/JR1001`,
    kind: 'job_posting',
    company: { key: 'tenant weirworks', name: 'weirworks', country: 'CA' },
    observedFact: 'weirworks is hiring: Lock Keeper (Canada, Peterborough)',
    country: 'CA',
    occurredAt: new Date('2026-03-02T00:00:00Z'),
    sourceUri: 'https://weirworks.wd5.myworkdayjobs.com/Careers/job/Canada-Peterborough/Lock-Keeper_JR1001',
    eventIdentifiers: [{ scheme: 'posting', value: `workday ${SITE} JR1001` }],
  });
  expect(titled(posting, 'Uses SAP')).toMatchObject({ kind: 'technology_use' });
});

test('a posting abroad that may also be worked in the United States is one there', async () => {
  const abroad = await readWith({ country: { descriptor: 'Netherlands' }, location: 'Netherlands, Rotterdam' });
  expect(titled(abroad, 'Lock Keeper')).toMatchObject({ country: 'US' });
  const alone = await readWith({ country: { descriptor: 'Netherlands' }, additionalLocations: [] });
  expect(alone.refused).toEqual(['country is neither Canada nor the United States']);
});

test('a closed posting is left out, one without a date is refused', async () => {
  expect((await readWith({ canApply: false })).leftOut).toEqual(['nobody can apply any more']);
  expect((await readWith({ startDate: undefined })).refused).toEqual(['startDate is missing']);
});

test('a list from a file records nothing and says why', () => {
  expect(list.observations).toEqual([]);
  expect(new Set(list.leftOut)).toEqual(new Set(['a list tells no date and no country; the page of the posting does']));
  expect(list.leftOut).toHaveLength(2);
});

test('a fetched list leads to its postings at the same host, and to the next page when it is full', async () => {
  const rows = Array.from({ length: 20 }, (_, index) => ({ title: 'x', externalPath: `/job/Reno/x_${index}` }));
  const about = { site: SITE, offset: '20' };
  const full = await readDocument(workday, documentOfText(JSON.stringify({ jobPostings: rows }), { about }));
  expect(full.raws).toEqual([]);
  expect(full.followUps).toHaveLength(21);
  expect(full.followUps[0]?.url).toBe(
    'https://weirworks.wd5.myworkdayjobs.com/wday/cxs/weirworks/Careers/job/Reno/x_0',
  );
  expect(JSON.parse(full.followUps[20]?.body ?? '')).toMatchObject({ offset: 40, limit: 20 });
});

test('an address that a list gives is followed only below the site', async () => {
  const rows = ['//elsewhere.example/job/x', '/admin', '/job/a?b', 7].map((externalPath) => ({ externalPath }));
  const about = { site: SITE, offset: '0' };
  const read = await readDocument(workday, documentOfText(JSON.stringify({ jobPostings: rows }), { about }));
  expect(read.followUps).toEqual([]);
});

test('a run asks for the sites that the operator named', () => {
  const settings = new Map([['sites', `${SITE}|Weirworks Ltd.|CA|weirworks.example, no-site`]]);
  expect(workday.requests?.({ now: new Date(), settings, watermark: undefined })).toMatchObject([
    { url: 'https://weirworks.wd5.myworkdayjobs.com/wday/cxs/weirworks/Careers/jobs', about: { site: SITE } },
  ]);
});
