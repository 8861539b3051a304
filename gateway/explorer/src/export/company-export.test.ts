import { expect, test } from 'vitest';
import type { Company } from '../session/client.ts';
import { COMPANY_COLUMNS, companyRows } from './company-rows.ts';
import { toJsonLines } from './json-lines.ts';

const SOURCE = {
  name: 'SEC EDGAR',
  publisher: 'SEC',
  url: 'https://www.sec.gov/edgar',
  licence: 'Public domain',
  attribution: 'U.S. SEC',
};
const EVIDENCE = { excerpt: 'raised', occurred_at: null, observed_at: '2026-11-02T00:00:00.000Z' };
const COMPANY: Company = {
  id: 7,
  name: 'Ann Co',
  domains: [{ id: 1, hostname: 'ann.example' }],
  limitations: [],
  observations: [
    {
      id: 70,
      kind: 'funding_round',
      observed_fact: 'Ann Co raised money.',
      why_it_may_matter: 'It spends.',
      demand_class: 'proxy',
      country: 'US',
      confidence: 0.9,
      occurred_at: '2026-11-01T00:00:00.000Z',
      observed_at: '2026-11-02T00:00:00.000Z',
      expires_at: null,
      evidence: [
        { ...EVIDENCE, source_uri: 'https://www.sec.gov/a' },
        { ...EVIDENCE, source_uri: 'https://ann.example/news' },
      ],
    },
  ],
};
const PAGES = [{ usageId: 3, requestKey: 'key', asOf: '2026-11-25T00:00:00.000Z', companies: [COMPANY] }];

test('each piece of evidence is a row with its source and licence, where they are known', () => {
  const rows = companyRows(PAGES, [SOURCE]);
  expect(
    rows.map(({ observation_id, source_uri, licence, usage_id }) => [observation_id, source_uri, licence, usage_id]),
  ).toEqual([
    [70, 'https://www.sec.gov/a', 'Public domain', 3],
    [70, 'https://ann.example/news', undefined, 3],
  ]);
  expect(Object.keys(rows[0] ?? {}).sort()).toEqual([...COMPANY_COLUMNS].sort());
});

test('each company is a line of JSON with the sources of its evidence', () => {
  const [line = '', rest] = toJsonLines(PAGES, [SOURCE]).split('\n');
  expect(rest).toBe('');
  expect(JSON.parse(line)).toEqual({
    ...COMPANY,
    sources: [{ source_uri: 'https://www.sec.gov/a', ...SOURCE }, { source_uri: 'https://ann.example/news' }],
    as_of: '2026-11-25T00:00:00.000Z',
    usage_id: 3,
    request_key: 'key',
  });
});
