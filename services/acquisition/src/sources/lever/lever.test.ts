import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { documentOfText, readDocument } from '../../../test-support/read-file.ts';
import { readBeside, summarise, titled } from '../../../test-support/read-source.ts';
import { lever } from './source.ts';

const site = await readBeside(import.meta.url, 'documents/postings.json', lever);

test('a posting is a position of its site at the place of work, dated by its creation', () => {
  expect(titled(site, 'Lock Data Analyst')).toMatchObject({
    key: 'weirworks/11111111-2222-4333-8444-555555555555',
    kind: 'job_posting',
    company: { key: 'site weirworks', name: 'weirworks', country: 'CA' },
    observedFact: 'weirworks is hiring: Lock Data Analyst (Toronto, ON)',
    country: 'CA',
    occurredAt: new Date(1761580110000),
    eventIdentifiers: [{ scheme: 'posting', value: 'lever weirworks 11111111-2222-4333-8444-555555555555' }],
  });
});

test('tools in the lists of a posting count', () => {
  const uses = site.observations.filter(({ kind }) => kind === 'technology_use');
  expect(uses.map(({ title }) => title)).toEqual(['Uses Looker', 'Uses Tableau']);
  expect(uses[0]).toMatchObject({ confidence: 0.5, company: { name: 'weirworks' } });
});

test('postings without a place or date are refused by the field', () => {
  expect(site.refused).toEqual([
    'categories.location names no place in Canada or the United States',
    'country is neither Canada nor the United States',
    'createdAt is no number',
  ]);
});

test('remote work is where the employer is, when the operator said where', async () => {
  const text = await readFile(new URL('documents/postings.json', import.meta.url), 'utf8');
  const settings = new Map([['sites', 'weirworks|Weirworks Ltd.|US|weirworks.example']]);
  const known = summarise(await readDocument(lever, documentOfText(text, { settings })));
  expect(titled(known, 'Lock Writer')).toMatchObject({
    country: 'US',
    company: { name: 'Weirworks Ltd.', country: 'US', hostnames: ['weirworks.example'] },
  });
});

test('a run asks for the sites that the operator named', () => {
  const settings = new Map([['sites', 'weirworks']]);
  expect(lever.requests?.({ now: new Date(), settings, watermark: undefined })).toMatchObject([
    { url: 'https://api.lever.co/v0/postings/weirworks?mode=json', about: { site: 'weirworks' } },
  ]);
});
