import { afterAll, beforeAll, expect, test } from 'vitest';
import { type StartedLookup, startLookup } from '../../test-support/started-lookup.ts';

let service: StartedLookup;

beforeAll(async () => {
  service = await startLookup();
});

afterAll(() => service[Symbol.asyncDispose]());

const tenders = {
  name: 'tenders',
  title: 'Tender notices',
  publisher: 'The ministry',
  licence: 'Open Government Licence',
  licenceUri: 'https://licence.example/',
  attribution: 'Contains information licensed under the Open Government Licence.',
  homepage: 'https://tenders.example/',
};

test('sources are listed by title with licence and attribution, as they were registered last', async () => {
  expect(await service.record.registerSource({ source: tenders })).toMatchObject({ changed: true });
  expect(await service.record.registerSource({ source: tenders })).toMatchObject({ changed: false });
  const permits = { ...tenders, name: 'permits', title: 'Permits', licenceUri: '', homepage: '' };
  await service.record.registerSource({ source: permits });
  await service.record.registerSource({ source: { ...tenders, title: 'A list of tenders' } });
  const { sources } = await service.as('gateway').lookup.listSources({});
  expect(sources).toMatchObject([{ ...tenders, title: 'A list of tenders' }, permits]);
  const { rows } = await service.owner.query("select caller, reason from audit where action = 'register_source'");
  expect(rows).toEqual(Array.from({ length: 3 }, () => ({ caller: 'admin', reason: 'a test' })));
});

test.each([
  ['name', ''],
  ['title', ' '],
  ['licence', 'x'.repeat(201)],
  ['attribution', ''],
  ['licenceUri', 'javascript:alert(1)'],
  ['homepage', 'ftp://tenders.example/'],
])('a source with a bad %s is refused', async (field, value) => {
  await expect(service.record.registerSource({ source: { ...tenders, [field]: value } })).rejects.toThrow();
});
