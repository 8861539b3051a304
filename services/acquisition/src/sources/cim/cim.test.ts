import { expect, test } from 'vitest';
import { readBeside, titled } from '../../../test-support/read-source.ts';
import { cim } from './source.ts';

const release = await readBeside(import.meta.url, 'documents/facility-metadata.csv', cim);

test('a project has its announcement, its place and its status', () => {
  expect(titled(release, 'New Batteries (Cells) 12 Cell Street, Fairlock, OH 45000')).toMatchObject({
    key: 'M.B.Voltmere_OH_0',
    kind: 'facility_expansion',
    company: { name: 'Voltmere Cells', country: 'US' },
    observedFact:
      'Voltmere Cells announced a new Batteries (Cells) facility in 12 Cell Street, Fairlock, OH 45000, now under construction',
    country: 'US',
    confidence: 0.8,
    occurredAt: new Date('2024-05-02T00:00:00Z'),
    expiresAt: undefined,
    eventIdentifiers: [{ scheme: 'project', value: 'M.B.Voltmere_OH_0' }],
    categories: [],
  });
});

test('a project that is only announced is not said to be more', () => {
  expect(titled(release, 'Expansion Batteries (Cells) 12 Cell Street, Fairlock, OH 45000').observedFact).toBe(
    'Voltmere Cells announced an expansion of its Batteries (Cells) facility in 12 Cell Street, Fairlock, OH 45000',
  );
});

test('the number of an operator is not part of its name, and its projects stay apart', () => {
  const solar = release.observations.filter(({ company }) => company.name === 'Sunny Meadow Energy, LLC');
  expect(new Set(solar.map(({ eventIdentifiers }) => eventIdentifiers[0]?.value)).size).toBe(2);
});

test('without an address the site is in its state', () => {
  expect(titled(release, 'Retrofit Solar Georgia').observedFact).toBe(
    'Panelco announced a retrofit of its Solar facility in Georgia, now operating',
  );
});

test('a cancelled project closes the event of its number on the day of the release', () => {
  expect(release.closings).toEqual([
    {
      type: 'closing',
      kind: 'facility_expansion',
      company: { name: 'Bladeworks', country: 'US', hostnames: [], identifiers: [] },
      eventIdentifiers: [{ scheme: 'project', value: 'M.W.Bladeworks_NY_0' }],
      reason: 'cancelled',
      closedAt: new Date('2025-02-18T23:00:32Z'),
    },
  ]);
  expect(release.leftOut).toEqual(['the facility is retired']);
});

test('every other row is refused by the field it lacks', () => {
  expect(release.refused).toEqual([
    'State is no state or province',
    'Announcement_Date is no date',
    'Company is missing',
    'Project_Type is no type of the documentation',
    'unique_id is missing',
  ]);
});

test('politicians and census areas are no part of a project', () => {
  for (const raw of release.raws) expect(raw.content).not.toMatch(/Senator|Representative|census|county/);
});
