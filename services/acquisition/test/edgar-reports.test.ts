import { expect, test } from 'vitest';
import { sec8k } from '../src/sources/sec-8k/source.ts';
import { describePublished, PUBLISHED } from '../test-support/published.ts';
import { readFile } from '../test-support/read-file.ts';
import { summarise } from '../test-support/read-source.ts';

const FILINGS = `${PUBLISHED}raw/sec_edgar/filings_8k/`;

const PAY = 'left out: item 5.02 reports pay or plans, and no change of a person';

const REPORTS: readonly (readonly [accession: string, outcome: string])[] = [
  ['0000950137-05-004969', '5.02 leadership_change 2005-04-26'],
  ['0000072333-23-000015', PAY],
  ['0000796343-23-000044', 'left out: reports none of the items 1.01, 3.02, 5.02, 7.01 and 8.01'],
  ['0001193125-23-048785', '5.02 leadership_change 2023-02-24'],
  ['0000066740-24-000023', 'refused: Item 8.01 is no launch, site or partnership by any rule'],
  ['0001628280-25-058337', '5.02 leadership_change 2025-12-19'],
  ['0000019617-26-000241', '5.02 leadership_change 2026-06-24'],
  ['0001045810-26-000024', PAY],
];

describePublished('real reports of events', () => {
  test.each(REPORTS)('%s: %s', async (accession, outcome) => {
    const { observations, leftOut, refused } = summarise(await readFile(sec8k, `${FILINGS}${accession}.txt.gz`));
    const facts = observations.map(
      ({ key, kind, occurredAt }) => `${key.split('#')[1]} ${kind} ${occurredAt?.toISOString().slice(0, 10)}`,
    );
    const rest = [...leftOut.map((reason) => `left out: ${reason}`), ...refused.map((reason) => `refused: ${reason}`)];
    expect([...facts, ...rest]).toEqual([outcome]);
  });
});
