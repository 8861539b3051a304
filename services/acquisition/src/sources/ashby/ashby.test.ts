import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { documentOfText, readDocument } from '../../../test-support/read-file.ts';
import { readBeside, summarise, titled } from '../../../test-support/read-source.ts';
import { ashby } from './source.ts';

const board = await readBeside(import.meta.url, 'documents/jobs.json', ashby);

test('a posting is a position of its board at the place of work, dated by its publication', () => {
  expect(titled(board, 'Lock Keeper')).toMatchObject({
    key: 'weirworks/aaaaaaaa-0000-4000-8000-000000000001',
    kind: 'job_posting',
    company: { key: 'board weirworks', name: 'weirworks', country: 'CA' },
    observedFact: 'weirworks is hiring: Lock Keeper (Peterborough, Ontario)',
    country: 'CA',
    occurredAt: new Date('2026-03-02T14:05:10.930Z'),
    sourceUri: 'https://jobs.ashbyhq.com/weirworks/aaaaaaaa-0000-4000-8000-000000000001',
    eventIdentifiers: [{ scheme: 'posting', value: 'ashby weirworks aaaaaaaa-0000-4000-8000-000000000001' }],
  });
  expect(titled(board, 'Uses ServiceNow')).toMatchObject({ kind: 'technology_use', confidence: 0.5 });
});

test('a posting abroad that may also be worked in the United States is one there', () => {
  expect(titled(board, 'Sluice Engineer')).toMatchObject({
    country: 'US',
    observedFact: 'weirworks is hiring: Sluice Engineer (Buffalo, New York)',
  });
});

test('unlisted postings are left out, and those without a place here are refused by the field', () => {
  expect(board.leftOut).toEqual(['is not listed on the board']);
  expect(board.refused).toEqual([
    'location names no place in Canada or the United States',
    'country is neither Canada nor the United States',
  ]);
});

test('remote work is where the employer is, when the operator said where', async () => {
  const text = await readFile(new URL('documents/jobs.json', import.meta.url), 'utf8');
  const settings = new Map([['boards', 'weirworks|Weirworks Ltd.|CA|weirworks.example']]);
  const known = summarise(await readDocument(ashby, documentOfText(text, { settings })));
  expect(titled(known, 'Lock Writer')).toMatchObject({
    country: 'CA',
    company: { name: 'Weirworks Ltd.', country: 'CA', hostnames: ['weirworks.example'] },
  });
});

test('a run asks for the boards that the operator named', () => {
  const settings = new Map([['boards', 'weirworks']]);
  expect(ashby.requests?.({ now: new Date(), settings, watermark: undefined })).toEqual([
    { url: 'https://api.ashbyhq.com/posting-api/job-board/weirworks', about: { board: 'weirworks' } },
  ]);
});
