import { Kind } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import { LookupStatus } from '@ces/proto/ces/lookup/v1/lookup_service_pb.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  aCompany,
  anObservation,
  aPassage,
  aProfile,
  at,
  merge,
  recordCompanies,
  recordCompany,
  recordObservations,
} from '../../test-support/records.ts';
import { type StartedLookup, startLookup } from '../../test-support/started-lookup.ts';
import { decideOutcome } from './lookup-service.ts';

const { FOUND, NOT_FOUND, AMBIGUOUS, UNAVAILABLE } = LookupStatus;
const EXPIRED = { expiresAt: at('2020-01-01T00:00:00Z') };

let service: StartedLookup;

beforeAll(async () => {
  service = await startLookup();
});

afterAll(() => service[Symbol.asyncDispose]());

async function statusesOf(request: { ids?: bigint[]; domains?: string[] }) {
  const { outcomes } = await service.lookup.lookUpCompanies(request);
  return outcomes.map((outcome) => outcome.status);
}

test('an answer shows a company with its evidence, newest first, and its domains by hostname', async () => {
  const id = await recordCompany(service, 'shown', 'b.shown.example', 'a.shown.example');
  const evidence = [
    aPassage('Older.', { lastSeenAt: at('2026-02-01T00:00:00Z') }),
    aPassage('Newer.', { observedAt: at('2026-01-05T00:00:00.123Z') }),
  ];
  const [observationId] = await recordObservations(service, [
    anObservation('shown', 'shown', { evidence, expiresAt: at('2099-01-01T00:00:00Z') }),
  ]);
  const answer = await service.lookup.lookUpCompanies({ ids: [id] });
  expect(answer.outcomes).toMatchObject([{ status: FOUND, companyId: id }]);
  expect(answer.asOf).toBeDefined();
  expect(answer.companies).toMatchObject([
    {
      id,
      name: 'Company shown',
      domains: [{ hostname: 'a.shown.example' }, { hostname: 'b.shown.example' }],
      observations: [
        {
          id: observationId,
          kind: Kind.PROCUREMENT_REQUEST,
          observedFact: 'Fact of shown.',
          confidence: 0.9,
          occurredAt: at('2026-01-02T00:00:00Z'),
          observedAt: at('2026-01-03T00:00:00Z'),
          expiresAt: at('2099-01-01T00:00:00Z'),
          evidence: [
            { excerpt: 'Newer.', observedAt: at('2026-01-05T00:00:00.123Z') },
            { excerpt: 'Older.', lastSeenAt: at('2026-02-01T00:00:00Z') },
          ],
          company: { id, name: 'Company shown' },
        },
      ],
    },
  ]);
});

test('three observations are chosen: explicit request, proxy, structural; then latest event, undated last; then id', async () => {
  const id = await recordCompany(service, 'choice');
  const job = (key: string, day: string) =>
    anObservation(key, 'choice', { kind: Kind.JOB_POSTING, occurredAt: at(day) });
  const [profile, , earlier, twin, tender] = await recordObservations(service, [
    aProfile('choice profile', 'choice'),
    anObservation('choice expired', 'choice', EXPIRED),
    job('choice job', '2026-01-01T00:00:00Z'),
    job('choice twin', '2026-01-01T00:00:00Z'),
    anObservation('choice tender', 'choice', { occurredAt: at('2010-01-01T00:00:00Z') }),
  ]);
  const chosen = async () => {
    const { companies } = await service.lookup.lookUpCompanies({ ids: [id] });
    return companies.flatMap((company) => company.observations.map((observation) => observation.id));
  };
  expect(await chosen()).toEqual([tender, earlier, twin]);
  const [latest] = await recordObservations(service, [job('choice latest', '2026-02-01T00:00:00Z')]);
  expect(await chosen()).toEqual([tender, latest, earlier]);
  for (const observationId of [tender, latest, earlier].map((one = 0n) => one))
    await service.record.withdrawEvidence({ observationId, reason: 'test' });
  expect(await chosen()).toEqual([twin, profile]);
});

test('an id is found, unavailable without current evidence, or not found when it was never known', async () => {
  const found = await recordCompany(service, 'found');
  const expired = await recordCompany(service, 'expired');
  const bare = await recordCompany(service, 'bare');
  await recordObservations(service, [anObservation('found', 'found'), anObservation('expired', 'expired', EXPIRED)]);
  expect(await statusesOf({ ids: [9_000_000n, found, expired, bare] })).toEqual([
    NOT_FOUND,
    FOUND,
    UNAVAILABLE,
    UNAVAILABLE,
  ]);
});

test('a hostname that current evidence ties to several companies is ambiguous, until only one of them is current', async () => {
  await recordCompany(service, 'tied one', 'tied.example');
  const other = await recordCompany(service, 'tied two', 'tied.example');
  const [first = 0n] = await recordObservations(service, [
    anObservation('tied one', 'tied one'),
    anObservation('tied two', 'tied two'),
  ]);
  expect(await statusesOf({ domains: ['tied.example'] })).toEqual([AMBIGUOUS]);
  await service.record.withdrawEvidence({ observationId: first, reason: 'test' });
  const { outcomes, companies } = await service.lookup.lookUpCompanies({ domains: ['tied.example'] });
  expect(outcomes).toMatchObject([{ status: FOUND, companyId: other }]);
  expect(companies.map((company) => company.id)).toEqual([other]);
});

test('a hostname is unavailable when known without current support, not found when never known', async () => {
  await recordCompany(service, 'quiet', 'quiet.example');
  await recordCompany(service, 'dropped', 'dropped.example');
  await recordObservations(service, [anObservation('quiet', 'quiet', EXPIRED), anObservation('dropped', 'dropped')]);
  await recordCompany(service, 'dropped');
  expect(await statusesOf({ domains: ['quiet.example', 'unknown.example', 'dropped.example'] })).toEqual([
    UNAVAILABLE,
    NOT_FOUND,
    UNAVAILABLE,
  ]);
});

test('a domain in an answer is one that a nested observation supports', async () => {
  const id = await recordCompany(service, 'nested', 'nested.example');
  await recordObservations(service, [aProfile('nested profile', 'nested')]);
  await recordCompanies(service, [aCompany('nested')], 'another-set');
  await service.owner.query(
    `update company_source_key set company_id = $1 where source = 'another-set' and source_key = 'nested'`,
    [id],
  );
  const domains = async () => {
    const { companies } = await service.lookup.lookUpCompanies({ ids: [id] });
    return companies.map((company) => company.domains.map((domain) => domain.hostname));
  };
  expect(await domains()).toEqual([['nested.example']]);
  const others = [1, 2, 3].map((n) => anObservation(`nested ${n}`, 'nested'));
  await recordObservations(service, others, 'another-set');
  expect(await domains()).toEqual([[]]);
});

test('merged companies answer as their canonical company, with the evidence of both and one company for both inputs', async () => {
  const old = await recordCompany(service, 'merged old', 'merged.example');
  const canonical = await recordCompany(service, 'merged new', 'merged.example', 'remaining.example');
  await recordObservations(service, [
    anObservation('merged old', 'merged old'),
    anObservation('merged new', 'merged new'),
  ]);
  await merge(service, old, canonical);
  const byId = await service.lookup.lookUpCompanies({ ids: [old, canonical] });
  expect(byId.outcomes).toMatchObject([
    { status: FOUND, companyId: canonical },
    { status: FOUND, companyId: canonical },
  ]);
  expect(byId.companies).toMatchObject([
    {
      id: canonical,
      name: 'Company merged new',
      domains: [{ hostname: 'merged.example' }, { hostname: 'remaining.example' }],
      observations: [{ company: { id: canonical } }, { company: { id: canonical } }],
    },
  ]);
  expect(await statusesOf({ domains: ['merged.example'] })).toEqual([FOUND]);
  const resolved = await service.lookup.resolveCompanies({ ids: [canonical, 9_000_000n, old] });
  expect(resolved.survivorIds).toEqual([canonical, 9_000_000n, canonical]);
});

test('inputs answer in their order; both kinds, none, or more than twenty are refused', async () => {
  const [a = 0n, b = 0n] = await recordCompanies(service, [aCompany('in a'), aCompany('in b')]);
  await recordObservations(service, [anObservation('in a', 'in a'), anObservation('in b', 'in b')]);
  const { outcomes, companies } = await service.lookup.lookUpCompanies({ ids: [b, 9_000_000n, a] });
  expect(outcomes.map((outcome) => outcome.companyId)).toEqual([b, 0n, a]);
  expect(companies.map((company) => company.id)).toEqual([b, a]);
  const refused = (request: { ids?: bigint[]; domains?: string[] }) =>
    expect(service.lookup.lookUpCompanies(request)).rejects.toThrow();
  await refused({});
  await refused({ ids: [a], domains: ['a.example'] });
  await refused({ ids: Array.from({ length: 21 }, (_, n) => BigInt(n + 1)) });
});

test.each([
  ['NOT_FOUND', { known: false, candidates: 0, observations: 0 }],
  ['UNAVAILABLE', { known: true, candidates: 0, observations: 0 }],
  ['UNAVAILABLE', { known: true, candidates: 1, observations: 0 }],
  ['FOUND', { known: true, candidates: 1, observations: 1 }],
  ['AMBIGUOUS', { known: true, candidates: 2, observations: 0 }],
] as const)('%s of %o', (status, resolved) => {
  expect(decideOutcome(resolved)).toBe(LookupStatus[status]);
});
