import { create } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { Country, Kind } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import { ListSourcesResponseSchema } from '@ces/proto/ces/lookup/v1/lookup_service_pb.ts';
import { expect, test } from 'vitest';
import { createFindSources } from './known-sources.ts';
import { SOURCES } from './sources.ts';

const registered = {
  name: 'permits',
  title: 'Building permits',
  publisher: 'The city',
  licence: 'Open',
  licenceUri: 'https://licence.example/',
  attribution: 'Says the city.',
  homepage: '',
};

function record(...answers: ('silent' | (typeof registered)[])[]) {
  let asked = 0;
  return {
    count: () => asked,
    listSources: async () => {
      const answer = answers[asked] ?? 'silent';
      asked += 1;
      if (answer === 'silent') throw new Error('not now');
      return create(ListSourcesResponseSchema, { sources: answer });
    },
  };
}

test('registered sources are listed with the imported data sets, and replace one with the same title', async () => {
  const again = { ...registered, title: 'EDGAR filings' };
  const sources = await createFindSources(record([registered, again]), () => 0)();
  expect(sources[0]).toEqual({
    name: 'Building permits',
    publisher: 'The city',
    licence: 'Open',
    licence_url: 'https://licence.example/',
    attribution: 'Says the city.',
  });
  expect(sources.filter((source) => source.name === 'EDGAR filings')).toHaveLength(1);
  expect(sources).toHaveLength(SOURCES.length + 1);
});

test('a source reports how far it was read, and its coverage of the last seven days', async () => {
  const readAt = timestampFromDate(new Date('2026-11-24T06:00:00Z'));
  const answer = create(ListSourcesResponseSchema, {
    sources: [{ ...registered, readAt }],
    coverage: [
      { source: 'permits', kind: Kind.FACILITY_EXPANSION, country: Country.CA, weekCount: 12n, medianDelayS: 9_000 },
      { source: 'other', kind: Kind.FACILITY_EXPANSION, country: Country.CA, weekCount: 1n },
    ],
  });
  const [permits] = await createFindSources({ listSources: async () => answer }, () => 0)();
  expect(permits).toMatchObject({
    read_until: '2026-11-24T06:00:00.000Z',
    last_week: [
      {
        kind: 'facility_expansion',
        country: 'CA',
        observations: 12,
        newest_event_at: null,
        median_delay_hours: 2.5,
      },
    ],
  });
});

test('the record is asked once in ten seconds, and its last answer counts while it is silent', async () => {
  const lookup = record('silent', [registered], 'silent');
  let now = 0;
  const sources = createFindSources(lookup, () => now);
  expect(await sources()).toEqual(SOURCES);
  expect(await sources()).toEqual(SOURCES);
  expect(lookup.count()).toBe(1);
  now = 10_001;
  expect(await Promise.all([sources(), sources()])).toHaveLength(2);
  expect(lookup.count()).toBe(2);
  now = 20_002;
  expect((await sources())[0]?.name).toBe('Building permits');
});
