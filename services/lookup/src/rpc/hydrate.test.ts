import { FailureCode, failureOf } from '@ces/chassis/rpc/failure';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aCompany, anObservation, at, merge, recordCompanies, recordObservations } from '../../test-support/records.ts';
import { type StartedLookup, startLookup } from '../../test-support/started-lookup.ts';

let service: StartedLookup;

beforeAll(async () => {
  service = await startLookup();
});

afterAll(() => service[Symbol.asyncDispose]());

async function recordOne(key: string, fields: Parameters<typeof anObservation>[2] = {}) {
  const [companyId = 0n] = await recordCompanies(service, [aCompany(key, { hostnames: [`${key}.example`] })]);
  const [observationId = 0n] = await recordObservations(service, [anObservation(key, key, fields)]);
  return { companyId, observationId, observationIds: [observationId] };
}

test('references come back in their order, observations in theirs, with the domains they support', async () => {
  const [a, b] = [await recordOne('a'), await recordOne('b')];
  const [later = 0n] = await recordObservations(service, [anObservation('a later', 'a')]);
  const { companies, readAt } = await service.lookup.hydrate({
    companies: [b, { companyId: a.companyId, observationIds: [later, a.observationId] }, { companyId: a.companyId }],
  });
  expect(companies.map((one) => one.survivorId)).toEqual([b.companyId, a.companyId, a.companyId]);
  expect(companies.map((one) => one.company?.observations.map((observation) => observation.id))).toEqual([
    [b.observationId],
    [later, a.observationId],
    undefined,
  ]);
  expect(companies[1]?.company?.domains).toMatchObject([{ hostname: 'a.example' }]);
  expect(readAt).toBeDefined();
});

test('expiry is judged at the given instant, withdrawal always now', async () => {
  const expired = await recordOne('expired', { expiresAt: at('2026-03-01T00:00:00Z') });
  const rendered = async (judged?: string) => {
    const { companies } = await service.lookup.hydrate({
      companies: [expired],
      ...(judged && { expiryJudgedAt: at(judged) }),
    });
    return companies[0]?.company !== undefined;
  };
  expect(await rendered()).toBe(false);
  expect(await rendered('2026-02-28T23:59:59.999Z')).toBe(true);
  expect(await rendered('2026-03-01T00:00:00Z')).toBe(false);
  await service.record.withdrawEvidence({ observationId: expired.observationId, reason: 'test' });
  expect(await rendered('2026-02-01T00:00:00Z')).toBe(false);
});

test('a reference to a merged company renders as its canonical company, and again as itself when the merge is undone', async () => {
  const [old, canonical] = [await recordOne('old'), await recordOne('canonical')];
  await merge(service, old.companyId, canonical.companyId);
  const merged = await service.lookup.hydrate({ companies: [old] });
  expect(merged.companies).toMatchObject([
    {
      survivorId: canonical.companyId,
      company: {
        id: canonical.companyId,
        name: 'Company canonical',
        domains: [{ hostname: 'old.example' }],
        observations: [{ id: old.observationId, company: { id: canonical.companyId } }],
      },
    },
  ]);
  await service.owner.query('update company set survivor_id = id where id = $1', [old.companyId]);
  const split = await service.lookup.hydrate({ companies: [old] });
  expect(split.companies).toMatchObject([{ survivorId: old.companyId, company: { name: 'Company old' } }]);
});

test('an unknown company has no canonical company', async () => {
  const { companies } = await service.lookup.hydrate({ companies: [{ companyId: 9_000_000n, observationIds: [1n] }] });
  expect(companies).toMatchObject([{ survivorId: 0n }]);
});

test('one observation is read with its company, and is not found once nothing supports it', async () => {
  const { observationId, companyId } = await recordOne('single');
  const { observation } = await service.lookup.getObservation({ observationId });
  expect(observation).toMatchObject({ id: observationId, company: { id: companyId, name: 'Company single' } });
  const [row] = (await service.record.getEvidence({ observationId })).evidence;
  await service.record.withdrawEvidence({ observationId, evidenceId: row?.id ?? 0n, reason: 'test' });
  for (const id of [observationId, 9_000_000n]) {
    const refusal = await service.lookup.getObservation({ observationId: id }).catch(failureOf);
    expect(refusal).toMatchObject({ code: FailureCode.OBSERVATION_NOT_FOUND });
  }
});
