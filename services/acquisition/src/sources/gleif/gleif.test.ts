import { describe, expect, test } from 'vitest';
import { describePublished, PUBLISHED } from '../../../test-support/published.ts';
import { documentOfText, readDocument, readFile } from '../../../test-support/read-file.ts';
import { type ReadSource, readBeside, summarise } from '../../../test-support/read-source.ts';
import { gleif } from './source.ts';

const page = await readBeside(import.meta.url, 'documents/lei-records.json', gleif);
const [first] = page.observations;

const ENTITY = {
  legalName: { name: 'WEIRWORKS INC.' },
  headquartersAddress: { country: 'US', region: 'US-OH', city: 'FAIRLOCK', addressLines: ['c/o Jane Roe'] },
  registeredAt: { id: 'RA000602' },
  registeredAs: '123 4567',
  status: 'ACTIVE',
};

async function readRecord(entity: object, registration: object, more: object = {}): Promise<ReadSource> {
  const attributes = { lei: '5493000000000000WE62', entity: { ...ENTITY, ...entity }, registration, ...more };
  const answer = { data: { id: '5493000000000000WE62', attributes } };
  return summarise(await readDocument(gleif, documentOfText(JSON.stringify(answer))));
}

test('an active entity is a profile of its legal name, with its numbers and former names', () => {
  expect(first).toMatchObject({
    key: '5493000000000000WE62',
    kind: 'company_profile',
    company: {
      name: 'WEIRWORKS INC.',
      country: 'US',
      identifiers: [
        { scheme: 'lei', value: '5493000000000000WE62' },
        { scheme: 'register', value: 'RA000602:1234567' },
        { scheme: 'opencorporates', value: 'us_de/1234567' },
        { scheme: 'spglobal', value: '24937' },
        { scheme: 'bic', value: 'WEIRUS33XXX' },
      ],
      formerNames: [{ name: 'LOCKWORKS INC.' }],
    },
    observedFact:
      'WEIRWORKS INC. is an active legal entity with headquarters in FAIRLOCK, Ohio, US, LEI 5493000000000000WE62',
    confidence: 0.9,
    categories: [],
    sourceUri: 'https://search.gleif.org/#/record/5493000000000000WE62',
  });
});

test('funds and entities that are no more are left out, other countries are refused and not kept', () => {
  expect(page.leftOut).toEqual(['the entity is a fund, branch or authority', 'the entity is not active']);
  expect(page.refused).toEqual(['entity.headquartersAddress.country is neither Canada nor the United States']);
  expect(page.raws.map(({ content }) => content).join()).not.toContain('TIDE WATCHERS');
});

describe('the state of a registration', () => {
  test('a lapsed one of an active entity says so and counts less', async () => {
    const { observations } = await readRecord({}, { status: 'LAPSED', nextRenewalDate: '2025-05-10T10:37:03Z' });
    expect(observations).toMatchObject([
      { observedFact: expect.stringMatching(/; its LEI registration lapsed on 2025-05-10$/), confidence: 0.8 },
    ]);
  });

  test('a duplicate is the same company as the one that it names', async () => {
    const other = '5493001KJTIIGC8Y1R12';
    const { observations } = await readRecord(
      { status: 'NULL', successorEntity: { lei: other }, successorEntities: [{ lei: other }] },
      { status: 'DUPLICATE' },
    );
    expect(observations).toMatchObject([
      {
        company: {
          key: 'lei:5493000000000000WE62',
          identifiers: [{ value: other }, { value: '5493000000000000WE62' }, { scheme: 'register' }],
        },
        observedFact: `WEIRWORKS INC. is a legal entity with headquarters in FAIRLOCK, Ohio, US, LEI ${other}; its LEI 5493000000000000WE62 was a duplicate`,
      },
    ]);
  });

  test.each([
    ['RETIRED', 'ACTIVE', 'its registration is retired'],
    ['ANNULLED', 'ACTIVE', 'its registration is annulled'],
    ['ISSUED', 'INACTIVE', 'the entity is not active'],
    ['DUPLICATE', 'NULL', 'its registration is a duplicate of one that it does not name'],
  ])('%s and %s is left out', async (registration, status, reason) => {
    expect((await readRecord({ status }, { status: registration })).leftOut).toEqual([reason]);
  });
});

test('a sole proprietor is a person: left out without the name; streets and offices are not stored', async () => {
  const person = { category: 'SOLE_PROPRIETOR', legalName: { name: 'JANE ROE' }, otherNames: [{ name: 'ROE' }] };
  const { leftOut, raws } = await readRecord(person, { status: 'ISSUED' });
  expect(leftOut).toEqual(['a sole proprietor is a person']);
  const company = await readRecord({}, { status: 'ISSUED' });
  for (const { content } of [...raws, ...company.raws]) expect(content).not.toMatch(/ROE/i);
});

test('a golden copy in XML and one in CSV say the same of an entity as the interface', async () => {
  const forms = ['documents/golden-copy.xml', 'documents/golden-copy.csv'];
  const [xml, csv] = await Promise.all(forms.map((form) => readBeside(import.meta.url, form, gleif)));
  expect(xml?.raws).toHaveLength(2);
  expect(csv?.raws.map(({ content }) => JSON.parse(content))).toEqual(
    xml?.raws.map(({ content }) => JSON.parse(content)),
  );
  const { identifiers, ...company } = first?.company ?? { identifiers: [] };
  const without = identifiers.filter(({ scheme }) => scheme === 'lei' || scheme === 'register');
  expect(xml?.observations[0]?.company).toEqual({ ...company, identifiers: without });
  expect(xml?.leftOut).toEqual(['the entity is not active']);
  expect(csv?.refused).toEqual(['entity.headquartersAddress.country is neither Canada nor the United States']);
});

test('relationships are refused one by one, because they describe neither company', async () => {
  const text = '<rr:RelationshipData><rr:RelationshipRecord></rr:RelationshipRecord></rr:RelationshipData>';
  expect(summarise(await readDocument(gleif, documentOfText(text))).refused).toEqual([
    'Relationship states who owns whom, and describes neither',
  ]);
});

test('a page leads to the next one, and an answer without records is refused by the field', async () => {
  expect(page.followUps).toMatchObject([{ url: 'https://api.gleif.org/api/v1/lei-records?page%5Bnumber%5D=2' }]);
  const nothing = summarise(await readDocument(gleif, documentOfText('{"errors":[]}')));
  expect(nothing.refused).toEqual(['data holds no record']);
  const other = summarise(await readDocument(gleif, documentOfText('<html></html>')));
  expect(other.refused).toEqual(['LEIRecord is not in the document']);
});

test('a run asks for the LEIs that the operator named, a hundred at a time', () => {
  const leis = Array.from({ length: 101 }, (_, index) => `549300000000000${String(index).padStart(3, '0')}17`);
  const settings = new Map([['leis', `${leis.join(', ')}, nonsense`]]);
  const requests = gleif.requests?.({ now: new Date(), settings, watermark: undefined }) ?? [];
  const asked = requests.map(({ url }) => new URL(url).searchParams.get('filter[lei]')?.split(',').length);
  expect(asked).toEqual([100, 1]);
});

describePublished('records that GLEIF published', () => {
  test('an answer of the interface is read as a reader would', async () => {
    const file = `${PUBLISHED}fixtures/gleif/lei_records_page_2025-05-15.json`;
    const { observations, refused } = summarise(await readFile(gleif, file));
    expect(observations.map(({ company }) => company.name)).toHaveLength(5);
    expect(refused).toHaveLength(7);
    expect(observations.find(({ key }) => key === 'INR2EJN1ERAN0W5ZP974')?.company.identifiers).toEqual([
      { scheme: 'lei', value: 'INR2EJN1ERAN0W5ZP974' },
      { scheme: 'register', value: 'RA000641:600 413 485' },
      { scheme: 'opencorporates', value: 'us_wa/600413485' },
      { scheme: 'spglobal', value: '21835' },
      { scheme: 'bic', value: 'MSFTUS66XXX' },
    ]);
  });

  test('an extract of a golden copy in XML too', async () => {
    const file = `${PUBLISHED}fixtures/gleif/lei_cdf_2_1_golden_copy_2023-06-05.extract.xml`;
    const { observations, leftOut, refused } = summarise(await readFile(gleif, file));
    expect([observations.length, leftOut.length, refused.length]).toEqual([5, 4, 4]);
    expect(observations.map(({ confidence }) => confidence).sort()).toEqual([0.8, 0.8, 0.8, 0.9, 0.9]);
    expect(observations.flatMap(({ company }) => company.formerNames ?? [])).toHaveLength(1);
  });
});
