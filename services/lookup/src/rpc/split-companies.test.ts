import { LookupStatus } from '@ces/proto/ces/lookup/v1/lookup_service_pb.ts';
import { RecordOutcome } from '@ces/proto/ces/lookup/v1/record_pb.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inline, named, recordOne } from '../../test-support/inline.ts';
import { type StartedLookup, startLookup } from '../../test-support/started-lookup.ts';

let service: StartedLookup;

beforeAll(async () => {
  service = await startLookup();
});

afterAll(() => service[Symbol.asyncDispose]());

const merge = (companyId: bigint, intoId: bigint) =>
  service.record.mergeCompanies({ companyId, intoId, reason: 'by mistake' });
const split = (companyId: bigint) => service.record.splitCompanies({ companyId, reason: 'they are two' });

interface Recorded {
  readonly id: bigint;
  readonly observationId: bigint;
  readonly domain: string;
  readonly name: string;
}

async function company(name: string): Promise<Recorded> {
  const domain = `${name.toLowerCase().replaceAll(' ', '-')}.example`;
  const { companyId: id, observationId } = await recordOne(service, 'register', eventOf(name, domain));
  return { id, observationId, domain, name };
}

function eventOf(name: string, domain: string, number = `RFP ${name}`) {
  return inline(`${number} of ${name}`, named(`${name} Ltd.`, { hostnames: [domain] }), {
    hostnames: [domain],
    eventIdentifiers: [{ scheme: 'solicitation', value: number }],
  });
}

async function shown(companyId: bigint, ...observationIds: bigint[]) {
  const { companies } = await service.lookup.hydrate({ companies: [{ companyId, observationIds }] });
  const [one] = companies;
  const observations = one?.company?.observations ?? [];
  for (const { company: of } of observations) expect(of?.id).toBe(one?.survivorId);
  return {
    id: one?.survivorId,
    isShown: one?.company !== undefined,
    observations: observations.map(({ id }) => id),
    domains: one?.company?.domains.map(({ hostname }) => hostname) ?? [],
  };
}

test('a reference shows what belongs to its company now, whichever merges and splits came before and after it', async () => {
  const [a, b] = [await company('Harrow Kilns'), await company('Ister Mills')];
  const both = [b.observationId, a.observationId] as const;
  const own = { id: a.id, isShown: true, observations: [a.observationId], domains: [a.domain] };
  const together = { id: a.id, isShown: true, observations: both, domains: [a.domain, b.domain] };
  expect(await shown(a.id, ...both)).toEqual(own);
  await merge(b.id, a.id);
  expect(await shown(a.id, ...both)).toEqual(together);
  expect(await shown(b.id, ...both)).toEqual(together);
  await split(b.id);
  expect(await shown(a.id, ...both)).toEqual(own);
  expect(await shown(b.id, ...both)).toMatchObject({ id: b.id, observations: [b.observationId], domains: [b.domain] });
  await merge(a.id, b.id);
  expect(await shown(a.id, ...both)).toEqual({ ...together, id: b.id });
  await split(a.id);
  expect(await shown(a.id, ...both)).toEqual(own);
});

test('a reference is empty once all its observations belong to a company that was split off', async () => {
  const [a, b] = [await company('Jarrow Kilns'), await company('Korvan Mills')];
  await merge(b.id, a.id);
  await split(b.id);
  expect(await shown(a.id, b.observationId)).toEqual({ id: a.id, isShown: false, observations: [], domains: [] });
});

test('a group that is split off keeps what belongs to its members', async () => {
  const [a, b, c] = [await company('Lanner Kilns'), await company('Marrow Mills'), await company('Norvan Works')];
  await merge(c.id, b.id);
  await merge(b.id, a.id);
  const all = [a, b, c].map(({ observationId }) => observationId);
  expect((await shown(a.id, ...all)).observations).toEqual(all);
  await split(b.id);
  expect((await shown(a.id, ...all)).observations).toEqual([a.observationId]);
  expect(await shown(c.id, ...all)).toMatchObject({ id: b.id, observations: [b.observationId, c.observationId] });
});

test('a hostname that a record named while two companies were one is no domain of the other once they are split', async () => {
  const [a, b] = [await company('Oakel Kilns'), await company('Pellin Mills')];
  await merge(b.id, a.id);
  const again = await recordOne(service, 'register', eventOf(b.name, b.domain, `RFP ${a.name}`));
  expect(again).toMatchObject({ outcome: RecordOutcome.AMENDED, observationId: a.observationId });
  expect((await shown(a.id, a.observationId)).domains).toEqual([a.domain, b.domain]);
  await split(b.id);
  expect((await shown(a.id, a.observationId)).domains).toEqual([a.domain]);
  const documentOf = async (id: bigint) => (await service.lookup.getDocuments({ companyIds: [id] })).companies[0];
  expect((await documentOf(a.id))?.domains.map(({ hostname }) => hostname)).toEqual([a.domain]);
  await service.record.withdrawEvidence({ observationId: b.observationId, reason: 'test' });
  expect((await documentOf(b.id))?.domains).toEqual([]);
  const { outcomes } = await service.lookup.lookUpCompanies({ domains: [b.domain] });
  expect(outcomes).toMatchObject([{ status: LookupStatus.UNAVAILABLE, companyId: 0n }]);
});

test('look-ups by id, by domain and of observations show each company its own at once after a split', async () => {
  const [a, b] = [await company('Quarrin Kilns'), await company('Ravel Mills')];
  await merge(b.id, a.id);
  await split(b.id);
  for (const request of [{ ids: [a.id, b.id] }, { domains: [a.domain, b.domain] }]) {
    const { companies } = await service.lookup.lookUpCompanies(request);
    expect(companies.map(({ id, observations }) => [id, ...observations.map((one) => one.id)])).toEqual([
      [a.id, a.observationId],
      [b.id, b.observationId],
    ]);
  }
  const since = { seconds: 0n, nanos: 0 };
  const { observations } = await service.lookup.lookUpObservations({ domains: [b.domain], since, limit: 10 });
  expect(observations).toMatchObject([{ id: b.observationId, company: { id: b.id } }]);
  const { observation } = await service.lookup.getObservation({ observationId: b.observationId });
  expect(observation).toMatchObject({ company: { id: b.id, name: 'Ravel Mills Ltd.' } });
});
