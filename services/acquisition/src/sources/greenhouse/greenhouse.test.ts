import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { documentOfText, readDocument } from '../../../test-support/read-file.ts';
import { type ReadSource, readBeside, summarise, titled } from '../../../test-support/read-source.ts';
import { greenhouse } from './source.ts';

const board = await readBeside(import.meta.url, 'documents/jobs.json', greenhouse);
const TEXT = await readFile(new URL('documents/jobs.json', import.meta.url), 'utf8');

async function read(text: string, boards = ''): Promise<ReadSource> {
  const settings = new Map([['boards', boards]]);
  return summarise(await readDocument(greenhouse, documentOfText(text, { settings })));
}

test('a post is a position of its company at the place of work, dated by its first publication', () => {
  const analyst = titled(board, 'Lock Data Analyst');
  expect(analyst).toMatchObject({
    key: 'weirworks/1001',
    kind: 'job_posting',
    company: { key: 'board weirworks', name: 'Weirworks', country: 'CA', hostnames: [] },
    observedFact: 'Weirworks is hiring: Lock Data Analyst (Toronto, Ontario, Canada)',
    country: 'CA',
    confidence: 0.8,
    occurredAt: new Date('2026-10-27T17:48:30Z'),
    eventIdentifiers: [{ scheme: 'posting', value: 'greenhouse weirworks 1001' }],
    sourceUri: 'https://job-boards.greenhouse.io/weirworks/jobs/1001',
  });
  const daysLeft = (Number(analyst.expiresAt) - Date.now()) / 86_400_000;
  expect(daysLeft).toBeGreaterThan(13.9);
  expect(daysLeft).toBeLessThanOrEqual(14);
});

test('a tool that a post names is in use there, quoted where it is named', () => {
  const uses = board.observations.filter(({ kind }) => kind === 'technology_use');
  expect(uses.map(({ key }) => key)).toEqual([
    'weirworks/1001#uses Snowflake',
    'weirworks/1001#uses Power BI',
    'weirworks/1002#uses Snowflake',
  ]);
  expect(uses[0]).toMatchObject({ confidence: 0.5, occurredAt: new Date('2026-10-27T17:48:30Z') });
  for (const { excerpts } of uses) expect(excerpts.join()).toMatch(/Snowflake|Power BI/);
  expect(uses[2]?.eventIdentifiers).toEqual(uses[0]?.eventIdentifiers);
});

test('remote work is where its location says, else where the employer is, else refused', async () => {
  expect(titled(board, 'Gate Keeper').country).toBe('US');
  expect(board.refused).toEqual([
    'location.name names no place in Canada or the United States',
    'location.name names no place in Canada or the United States',
  ]);
  const known = await read(TEXT, 'weirworks|Weirworks Ltd.|CA|https://weirworks.example/');
  expect(titled(known, 'Lock Writer')).toMatchObject({
    country: 'CA',
    company: { name: 'Weirworks Ltd.', hostnames: ['weirworks.example'] },
  });
  expect(titled(known, 'Gate Keeper')).toMatchObject({ country: 'US', company: { country: 'CA' } });
});

test('a prospect post is not a position', () => {
  expect(board.leftOut).toEqual(['a prospect post, for no position']);
});

test('addresses and numbers of people are nowhere but in the description', () => {
  for (const { excerpts } of board.observations) expect(excerpts.join()).not.toMatch(/@|555-0142/);
  for (const { content } of board.raws) expect(content).not.toContain('pat@');
});

test('a record with only a later update time is the same record', async () => {
  const later = await read(TEXT.replaceAll('2026-11-02T14', '2026-11-09T08'));
  expect(later.raws.map(({ content }) => content)).toEqual(board.raws.map(({ content }) => content));
});

test('a run asks for the boards that the operator named', () => {
  const settings = new Map([['boards', 'weirworks|Weirworks, lockgate ,no token/at all']]);
  const requests = greenhouse.requests?.({ now: new Date(), settings, watermark: undefined }) ?? [];
  expect(requests.map(({ url }) => url)).toEqual([
    'https://boards-api.greenhouse.io/v1/boards/weirworks/jobs?content=true',
    'https://boards-api.greenhouse.io/v1/boards/lockgate/jobs?content=true',
  ]);
});
