import { expect, test } from 'vitest';
import { readFile } from '../../../test-support/read-file.ts';
import { readBeside, titled } from '../../../test-support/read-source.ts';
import { usaspendingAwards } from './source.ts';

const page = await readBeside(import.meta.url, 'documents/spending-by-award.json', usaspendingAwards);
const [first] =
  usaspendingAwards.requests?.({
    now: new Date('2026-11-21T12:00:00Z'),
    settings: new Map<string, string>(),
    watermark: undefined,
  }) ?? [];

test('a grant to a company is funding on the day it was first obligated', () => {
  expect(titled(page, 'COOPERATIVE AGREEMENT (B) DEEE0099001')).toMatchObject({
    key: 'ASST_NON_DEEE0099001_089',
    kind: 'funding_round',
    company: { name: 'WEIRWORKS ENERGY LLC', country: 'US', identifiers: [{ scheme: 'uei', value: 'WEJRWKRBTJC9' }] },
    observedFact: expect.stringMatching(
      /^WEIRWORKS ENERGY LLC received a cooperative agreement of \$20,047,331 from the Department of Energy: TURBINES/,
    ),
    occurredAt: new Date('2026-09-15T00:00:00Z'),
    eventIdentifiers: [{ scheme: 'project', value: 'DEEE0099001' }],
    sourceUri: 'https://www.usaspending.gov/award/ASST_NON_DEEE0099001_089',
  });
});

test('one that was never dated otherwise counts from its start, and one without words says its program', () => {
  expect(titled(page, 'PROJECT GRANT (B) R44HL999902')).toMatchObject({
    company: { name: 'DIKE SENSING LLC', country: 'CA' },
    observedFact:
      'DIKE SENSING LLC received a project grant of $987,655 from the National Institutes of Health: 81.087 RENEWABLE ENERGY RESEARCH AND DEVELOPMENT',
    occurredAt: new Date('2026-10-01T00:00:00Z'),
  });
});

test('contracts, sums of many, loans, people, schools and nothing are left out, other countries refused', () => {
  expect(page.leftOut).toEqual([
    'a contract is a sale and no funding',
    'the award is a sum of many',
    'the award is no grant',
    'the recipient is no company',
    'the recipient is a person',
    'the award is of no money',
  ]);
  expect(page.refused).toEqual(['Recipient Location.location_country_code is neither Canada nor the United States']);
});

test('a company with a word of public bodies in its name is one all the same', () => {
  expect(titled(page, 'PROJECT GRANT (B) ST26000001').company.name).toBe('STATE OF THE LOCK INC');
});

test('streets and addresses are not in the raw records', () => {
  for (const { content } of page.raws) expect(content).not.toMatch(/HOME LANE|@/i);
});

test('a run asks for new grants to businesses, and each page for the one behind it', async () => {
  const body = JSON.parse(first?.body ?? '{}');
  expect(body).toMatchObject({
    filters: {
      award_type_codes: ['02', '03', '04', '05'],
      recipient_type_names: ['category_business'],
      time_period: [{ start_date: '2026-08-18', end_date: '2026-11-21', date_type: 'new_awards_only' }],
    },
    limit: 100,
    page: 1,
  });
  const file = new URL('documents/spending-by-award.json', import.meta.url).pathname;
  const { followUps } = await readFile(usaspendingAwards, file, { about: first?.about ?? {} });
  expect(followUps.map(({ body: next }) => JSON.parse(next ?? '{}'))).toEqual([
    { ...body, page: 2, last_record_unique_id: 269990009, last_record_sort_value: 'ZE26000001' },
  ]);
});
