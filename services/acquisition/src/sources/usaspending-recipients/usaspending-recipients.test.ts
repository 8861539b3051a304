import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { documentOfText, readDocument } from '../../../test-support/read-file.ts';
import { readBeside, summarise } from '../../../test-support/read-source.ts';
import { usaspendingRecipients } from './source.ts';

const FILE = new URL('documents/recipient.json', import.meta.url);
const ID = '0a1b2c3d-1111-2222-3333-444455556666-C';

async function read(change: Readonly<Record<string, unknown>>) {
  const recipient = { ...JSON.parse(await readFile(FILE, 'utf8')), ...change };
  return summarise(await readDocument(usaspendingRecipients, documentOfText(JSON.stringify(recipient))));
}

test('a business is a profile with its numbers and its parent', async () => {
  const { observations } = await readBeside(import.meta.url, 'documents/recipient.json', usaspendingRecipients);
  expect(observations).toMatchObject([
    {
      key: ID,
      kind: 'company_profile',
      company: {
        name: 'WEIRWORKS ENERGY LLC',
        country: 'US',
        identifiers: [
          { scheme: 'uei', value: 'WEJRWKRBTJC9' },
          { scheme: 'duns', value: '999999901' },
        ],
      },
      observedFact:
        'WEIRWORKS ENERGY LLC is a business in FAIRLOCK, Ohio, USA that is on record as a recipient of US federal awards, UEI WEJRWKRBTJC9, its parent is WEIRWORKS HOLDINGS INC',
      excerpts: [expect.stringContaining('Other names: WEIR WORKS LLC')],
    },
  ]);
});

test.each([
  [{ business_types: ['category_business', 'sole_proprietorship'] }, 'the recipient is a person'],
  [{ business_types: ['higher_education'] }, 'the recipient is no business'],
])('%j is left out', async (change, reason) => {
  expect((await read(change)).leftOut).toEqual([reason]);
});

test('later payments do not make another record', async () => {
  const [one, other] = [await read({}), await read({ total_transaction_amount: 7, total_transactions: 1 })];
  expect(one.raws[0]?.content).toBe(other.raws[0]?.content);
});

test('a run asks for the recipients that the operator named', () => {
  const settings = new Map([['recipients', `${ID}, nonsense ${ID}`]]);
  expect(usaspendingRecipients.requests?.({ now: new Date(), settings, watermark: undefined })).toEqual([
    { url: `https://api.usaspending.gov/api/v2/recipient/${ID}/?year=latest` },
  ]);
});
