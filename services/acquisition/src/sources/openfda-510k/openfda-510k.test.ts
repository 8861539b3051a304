import { expect, test } from 'vitest';
import { readFile } from '../../../test-support/read-file.ts';
import { readBeside, titled } from '../../../test-support/read-source.ts';
import { openfda510k } from './source.ts';

const page = await readBeside(import.meta.url, 'documents/clearances.json', openfda510k);
const context = { now: new Date('2026-11-21T12:00:00Z'), settings: new Map<string, string>(), watermark: undefined };

test('a clearance is a device that its applicant may sell, and is never called an approval', () => {
  expect(titled(page, 'FlowGate Catheter (FG-7) K269901')).toMatchObject({
    key: 'K269901',
    kind: 'product_launch',
    company: { name: 'Sluice Cardio, Inc.', country: 'US', identifiers: [] },
    observedFact:
      'Sluice Cardio, Inc. had FlowGate Catheter (FG-7) (Catheter, Percutaneous) cleared by the FDA for marketing in the United States (K269901)',
    occurredAt: new Date('2026-09-04T00:00:00Z'),
    sourceUri: 'https://www.accessdata.fda.gov/scripts/cdrh/cfdocs/cfpmn/pmn.cfm?ID=K269901',
  });
  for (const { observedFact, excerpts } of page.observations)
    expect([observedFact, ...excerpts].join('\n')).not.toMatch(/approv/i);
});

test('a Canadian applicant has its country, and a De Novo request is granted', () => {
  expect(titled(page, 'Catheter, Percutaneous K269902').country).toBe('CA');
  expect(titled(page, 'EdgeSight DEN269903').observedFact).toContain('granted De Novo classification by the FDA');
});

test('refusals and persons are left out, applicants elsewhere are refused', () => {
  expect(page.leftOut).toEqual(['the decision clears no device', 'the applicant is a person']);
  expect(page.refused).toEqual(['country_code is neither Canada nor the United States']);
});

test('the contact, streets and the numbers of other makers are not in the raw records', () => {
  for (const { content } of page.raws) expect(content).not.toMatch(/Ada Sluice|HOME LANE|3009999901|9999991/);
});

test('a run asks for a year, then for what came since the newest decision and the weeks before it', () => {
  const asked = (watermark: string | undefined) =>
    new URL(openfda510k.requests?.({ ...context, watermark })[0]?.url ?? '').searchParams;
  expect(Object.fromEntries(asked(undefined))).toEqual({
    search: 'decision_date:[2025-11-21 TO 2026-11-21]',
    sort: 'decision_date:asc',
    limit: '1000',
    skip: '0',
  });
  expect(asked('2026-10-30').get('search')).toBe('decision_date:[2026-08-31 TO 2026-11-21]');
});

test('a page leads to the next one and remembers its newest day; a file does neither', async () => {
  const { about = {} } = openfda510k.requests?.(context)[0] ?? {};
  const file = new URL('documents/clearances.json', import.meta.url).pathname;
  const { followUps } = await readFile(openfda510k, file, { about });
  expect(followUps.map(({ url }) => new URL(url).searchParams.get('skip'))).toEqual(['1000']);
  expect(page.followUps).toEqual([]);
});
