import { create } from '@bufbuild/protobuf';
import { Country, Kind } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import { CompanyDocumentSchema, ObservationDocumentSchema } from '@ces/proto/ces/lookup/v1/record_pb.ts';
import { expect, test } from 'vitest';
import { company, instant, observation } from '../../../../test-support/documents.ts';
import { indexedCompany, indexedObservation } from './documents.ts';

const CODES = new Map([['NV', 'Nevada']]);

function written(init: Parameters<typeof observation>[3], fact = 'The batteries of a plant in Reno, NV') {
  return indexedObservation(create(ObservationDocumentSchema, observation(7n, 9n, fact, init)), CODES);
}

test('an observation is written as lexemes, with a mark for each stop word, and as its words', () => {
  const { id, version, source, datedAt } = written({
    version: 3n,
    kind: Kind.FACILITY_EXPANSION,
    country: Country.US,
    occurredAt: instant('2026-10-01T00:00:00.123Z'),
    excerpts: ['Plant opened'],
  });
  expect({ id, version, datedAt }).toEqual({ id: 7n, version: 3n, datedAt: 1_790_812_800_123_000n });
  expect(JSON.parse(source)).toEqual({
    observation_id: '7',
    company_id: '9',
    tombstone: false,
    kind: String(Kind.FACILITY_EXPANSION),
    country: String(Country.US),
    occurred_at: '1790812800123000',
    observed_at: '1790899200000000',
    recorded_at: '1790985600000000',
    deliverable_until: '9223372036854775807',
    text: '. batteri . . plant . reno nv nevada plant open stageoper',
    words: 'the batteries of a plant in reno nv plant opened',
    facts: [10200002],
  });
});

test('an undated document has no date, and profiles never exceed the retention', () => {
  const { occurredAt: _, ...undated } = observation(7n, 9n, 'battery');
  const { source, datedAt } = indexedObservation(create(ObservationDocumentSchema, undated), CODES);
  expect(datedAt).toBeUndefined();
  expect(JSON.parse(source)).not.toHaveProperty('occurred_at');
  expect(written({ kind: Kind.COMPANY_PROFILE }).datedAt).toBeUndefined();
  expect(JSON.parse(written({ occurredAt: instant('1969-12-31T23:59:59.5Z') }).source)).toMatchObject({
    occurred_at: '-500000',
  });
});

test('a deleted document has only its ids', () => {
  const gone = create(ObservationDocumentSchema, { id: 7n, version: 4n, tombstone: true });
  expect(JSON.parse(indexedObservation(gone, CODES).source)).toEqual({ observation_id: '7', tombstone: true });
  const goneCompany = create(CompanyDocumentSchema, { id: 9n, version: 4n, tombstone: true });
  expect(JSON.parse(indexedCompany(goneCompany, CODES).source)).toEqual({
    company_id: '9',
    survivor_id: '9',
    tombstone: true,
  });
});

test('a company is written with its profile, its names and its domains', () => {
  const document = company(9n, 'The Zellward Works', {
    profile: 'Bakes bread',
    otherNames: ['Former Name Inc.'],
    domains: [
      { hostname: 'one.example' },
      { hostname: 'two.example', supportedUntil: instant('2026-12-01T00:00:00Z') },
    ],
  });
  expect(JSON.parse(indexedCompany(create(CompanyDocumentSchema, document), CODES).source)).toMatchObject({
    survivor_id: '9',
    is_survivor: true,
    text: 'bake bread former name inc',
    words: 'bakes bread former name inc',
    name_words: 'the zellward works',
    domains: [
      { hostname: 'one.example', supported_until: '9223372036854775807' },
      { hostname: 'two.example', supported_until: '1796083200000000' },
    ],
  });
  const merged = create(CompanyDocumentSchema, { id: 9n, version: 2n, name: 'Merged', survivorId: 3n });
  expect(JSON.parse(indexedCompany(merged, CODES).source)).toMatchObject({ survivor_id: '3', is_survivor: false });
});
