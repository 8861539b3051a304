import { expect, test } from 'vitest';
import { documentOfText, readDocument } from '../../../test-support/read-file.ts';
import { readBeside, summarise } from '../../../test-support/read-source.ts';
import { gleif } from './source.ts';

const page = await readBeside(import.meta.url, 'documents/lei-records.json', gleif);

test('an active entity is a profile of its legal name and LEI', () => {
  expect(page.observations).toMatchObject([
    {
      key: '5493000000000000WE62',
      kind: 'company_profile',
      company: {
        name: 'WEIRWORKS INC.',
        country: 'US',
        identifiers: [{ scheme: 'lei', value: '5493000000000000WE62' }],
      },
      observedFact:
        'WEIRWORKS INC. is an active legal entity with headquarters in FAIRLOCK, Ohio, US, LEI 5493000000000000WE62',
      confidence: 0.9,
      categories: [],
      sourceUri: 'https://search.gleif.org/#/record/5493000000000000WE62',
    },
  ]);
});

test('funds and entities that are no more are left out, other countries are refused', () => {
  expect(page.leftOut).toEqual(['the entity is a fund, branch, person or authority', 'the entity is not active']);
  expect(page.refused).toEqual(['entity.headquartersAddress.country is neither Canada nor the United States']);
});

test('a page leads to the next one, and an answer without records is refused by the field', async () => {
  expect(page.followUps).toMatchObject([{ url: 'https://api.gleif.org/api/v1/lei-records?page%5Bnumber%5D=2' }]);
  const nothing = summarise(await readDocument(gleif, documentOfText('{"errors":[]}')));
  expect(nothing.refused).toEqual(['data holds no record']);
});

test('a run asks for the LEIs that the operator named, a hundred at a time', () => {
  const leis = Array.from({ length: 101 }, (_, index) => `549300000000000${String(index).padStart(3, '0')}17`);
  const settings = new Map([['leis', `${leis.join(', ')}, nonsense`]]);
  const requests = gleif.requests?.({ now: new Date(), settings, watermark: undefined }) ?? [];
  const asked = requests.map(({ url }) => new URL(url).searchParams.get('filter[lei]')?.split(',').length);
  expect(asked).toEqual([100, 1]);
});
