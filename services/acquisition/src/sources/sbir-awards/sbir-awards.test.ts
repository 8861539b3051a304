import { expect, test } from 'vitest';
import { documentOfText, readDocument } from '../../../test-support/read-file.ts';
import { readBeside, summarise, titled } from '../../../test-support/read-source.ts';
import { sbirAwards } from './source.ts';

const ROWS = 500;

const page = await readBeside(import.meta.url, 'documents/awards.json', sbirAwards);
const context = { now: new Date('2026-11-21T12:00:00Z'), settings: new Map<string, string>(), watermark: undefined };

test('an award is money that a firm received, with the sum, the agency and the purpose', () => {
  expect(titled(page, 'Self-levelling gates for small locks')).toMatchObject({
    key: 'NSF/2699901/2699901',
    kind: 'funding_round',
    company: {
      name: 'Weirworks Robotics Inc.',
      country: 'US',
      hostnames: ['www.weirworks.example.com'],
      identifiers: [{ scheme: 'uei', value: 'WEJRWKRBTJC9' }],
    },
    observedFact:
      'Weirworks Robotics Inc. received an SBIR Phase I award of $274,993 from the National Science Foundation for Self-levelling gates for small locks',
    occurredAt: new Date('2026-08-14T00:00:00Z'),
    confidence: 0.9,
    eventIdentifiers: [{ scheme: 'project', value: '2699901' }],
    categories: [],
    sourceUri: 'https://www.sbir.gov/awards/269901',
  });
});

test('a number of the NIH is as USAspending writes it, and an e-mail address is no website', () => {
  const award = titled(page, 'Fibre that hears seepage');
  expect(award.eventIdentifiers).toEqual([{ scheme: 'project', value: 'R42HL999901' }]);
  expect(award.company).toMatchObject({ hostnames: [], identifiers: [{ scheme: 'duns', value: '099999901' }] });
  expect(award.observedFact).toContain(
    'received an STTR Phase II award of $1,704,685 from the Department of Health and Human Services (NIH)',
  );
});

test('awards of nothing and of persons are left out, others are refused by the field', () => {
  expect(page.leftOut).toEqual(['the award is of no money', 'the recipient is a person']);
  expect(page.refused).toEqual([
    'state is none of the United States',
    'proposal_award_date is missing',
    'award_amount is no sum of money',
  ]);
});

test('persons, streets, e-mail addresses and telephone numbers are not in the raw records', () => {
  for (const { content } of page.raws) expect(content).not.toMatch(/Sluice,|Culvert|Home Lane|Apt 2|555-014|@/);
  expect(page.raws[0]?.content).toContain('It saves water.');
});

test('a run asks for this year and the last, and a full page leads to the next one', async () => {
  const requests = sbirAwards.requests?.(context) ?? [];
  expect(requests.map(({ url }) => url)).toEqual([
    'https://api.www.sbir.gov/public/api/awards?year=2026&rows=500&start=0',
    'https://api.www.sbir.gov/public/api/awards?year=2025&rows=500&start=0',
  ]);
  const { about = {} } = requests[0] ?? {};
  const read = async (rows: number) =>
    summarise(
      await readDocument(
        sbirAwards,
        documentOfText(JSON.stringify(Array.from({ length: rows }, () => ({}))), { about }),
      ),
    );
  expect((await read(ROWS)).followUps).toMatchObject([{ url: expect.stringContaining('start=500') }]);
  expect((await read(ROWS - 1)).followUps).toEqual([]);
});

test('an answer that is no list of awards is an error, not an end', async () => {
  await expect(readDocument(sbirAwards, documentOfText('{"Code":"503"}'))).rejects.toThrow();
});

test('no stored text names the contact or the investigator of the award', async () => {
  const award = {
    ...{ agency: 'DOE', contract: '9901', firm: 'Weirworks Inc.', state: 'OH', city: 'FAIRLOCK', phase: 'Phase I' },
    ...{ program: 'SBIR', award_amount: '100000', proposal_award_date: '2026-08-14' },
    ...{ pi_name: 'Ada Sluice', poc_name: 'Brook, Tom', award_title: 'Gates by Dr. Ada Sluice' },
    abstract: 'Weirworks builds gates. Tom Brook and Ada Sluice lead the work.',
  };
  const { raws, refusals } = await readDocument(sbirAwards, documentOfText(JSON.stringify([award])));
  expect(refusals).toEqual([]);
  expect(raws[0]?.content).toContain('Weirworks builds gates.');
  expect(raws[0]?.content).not.toMatch(/Sluice|Brook/);
});

test('no quoted text names a person whom only the abstract calls an investigator', async () => {
  const award = {
    ...{ agency: 'DOE', contract: '9901', firm: 'Weirworks Inc.', state: 'OH', city: 'FAIRLOCK', phase: 'Phase I' },
    ...{ program: 'SBIR', award_amount: '100000', proposal_award_date: '2026-08-14', award_title: 'Gates' },
    abstract: 'Weirworks builds gates. Principal Investigator: Eve Culvert, Ph.D.',
  };
  const { records } = await readDocument(sbirAwards, documentOfText(JSON.stringify([award])));
  const [quote = ''] = records[0]?.observations[0]?.excerpts ?? [];
  expect(quote).toContain('Weirworks builds gates.');
  expect(quote).not.toContain('Culvert');
});
