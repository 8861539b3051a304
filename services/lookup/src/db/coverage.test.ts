import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { Country, Kind } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aCompany, anObservation, aPassage, SOURCE } from '../../test-support/records.ts';
import { type StartedLookup, startLookup } from '../../test-support/started-lookup.ts';
import { claimCoveragePass, listCoverage, takeCoverage } from './coverage.ts';

const DAY_MS = 86_400_000;
const MOST = 1_000;

let service: StartedLookup;

beforeAll(async () => {
  service = await startLookup();
  const companies = [aCompany('a')];
  await service.record.recordCompanies({ source: SOURCE, companies });
});
afterAll(() => service[Symbol.asyncDispose]());

function daysAgo(days: number): Date {
  return new Date(Date.now() - days * DAY_MS);
}

async function record(key: string, days: number, kind: Kind = Kind.PROCUREMENT_REQUEST): Promise<void> {
  const occurredAt = timestampFromDate(daysAgo(days));
  const observedAt = timestampFromDate(new Date());
  const evidence = [aPassage(`Excerpt of ${key}.`, { occurredAt, observedAt })];
  const observation = anObservation(key, 'a', { kind, occurredAt, observedAt, evidence });
  const { observations } = await service.record.recordEvidence({ source: SOURCE, observations: [observation] });
  expect(observations[0]?.reason).toBe('');
}

test('coverage counts events of the last seven days by origin, kind and country, and how long they took', async () => {
  for (const [key, days] of [
    ['one', 1],
    ['two', 2],
    ['six', 6],
    ['old', 40],
  ] as const)
    await record(key, days);
  await record('job', 30, Kind.JOB_POSTING);
  await takeCoverage(service.pool, MOST);
  const rows = await listCoverage(service.pool);
  expect(rows).toMatchObject([
    { origin: SOURCE, kind: 'job_posting', country: 'CA', weekCount: 0, medianDelayS: undefined },
    { origin: SOURCE, kind: 'procurement_request', country: 'CA', weekCount: 3 },
  ]);
  const [, tenders] = rows;
  expect((tenders?.medianDelayS ?? 0) / 86_400).toBeCloseTo(2, 2);
  expect((tenders?.slowDelayS ?? 0) / 86_400).toBeCloseTo(6, 2);
  expect(Date.now() - Number(tenders?.newestAt)).toBeLessThan(1.1 * DAY_MS);
});

test('an event that is still to come is no event of the week, and not the newest', async () => {
  await record('to come', -3);
  await takeCoverage(service.pool, MOST);
  const [, tenders] = await listCoverage(service.pool);
  expect(tenders?.weekCount).toBe(3);
  expect(Number(tenders?.newestAt)).toBeLessThan(Date.now());
});

test('events older than the window are not counted, and the newest event stays known', async () => {
  await service.owner.query(`update observation set recorded_at = recorded_at - interval '8 days'`);
  await record('fresh', 3, Kind.JOB_POSTING);
  await takeCoverage(service.pool, MOST);
  const [jobs, tenders] = await listCoverage(service.pool);
  expect(jobs).toMatchObject({ kind: 'job_posting', weekCount: 1 });
  expect(tenders).toMatchObject({ kind: 'procurement_request', weekCount: 0, medianDelayS: undefined });
  expect(tenders?.newestAt).toBeInstanceOf(Date);
});

test('a pass reads only the newest events where there are more than it may read', async () => {
  await record('newest', 1, Kind.PARTNERSHIP);
  await takeCoverage(service.pool, 1);
  const counted = (await listCoverage(service.pool)).filter(({ weekCount }) => weekCount > 0);
  expect(counted.map(({ kind, weekCount }) => [kind, weekCount])).toEqual([['partnership', 1]]);
});

test('one of several concurrent processes claims the pass, and a clock that was set back blocks none', async () => {
  await service.owner.query(`update coverage_pass set taken_at = '-infinity'`);
  const turns = await Promise.all(Array.from({ length: 5 }, () => claimCoveragePass(service.pool, 60_000)));
  expect(turns.filter(Boolean)).toHaveLength(1);
  await service.owner.query(`update coverage_pass set taken_at = now() + interval '1 day'`);
  expect(await claimCoveragePass(service.pool, 60_000)).toBe(true);
});

test('the list of sources has the last complete reading and the coverage of each', async () => {
  const source = {
    name: SOURCE,
    title: 'Tests',
    publisher: 'Testers',
    licence: 'None',
    licenceUri: '',
    attribution: 'Tests.',
    homepage: '',
  };
  const readAt = timestampFromDate(daysAgo(1));
  await service.as('acquisition').record.registerSource({ source: { ...source, readAt } });
  await service
    .as('acquisition')
    .record.registerSource({ source: { ...source, readAt: timestampFromDate(daysAgo(2)) } });
  await service.as('acquisition').record.registerSource({ source });
  const { sources, coverage } = await service.as('gateway').lookup.listSources({});
  expect(sources.find(({ name }) => name === SOURCE)?.readAt?.seconds).toBe(readAt.seconds);
  expect(coverage.map(({ kind, country, weekCount }) => [kind, country, weekCount])).toContainEqual([
    Kind.PARTNERSHIP,
    Country.CA,
    1n,
  ]);
});
