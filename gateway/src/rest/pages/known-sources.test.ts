import { create } from '@bufbuild/protobuf';
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

test('what the record has registered stands beside the imported data sets, and replaces one of its title', async () => {
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
