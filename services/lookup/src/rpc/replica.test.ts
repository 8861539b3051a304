import { createReplicatedDatabase, type ReplicatedDatabase } from '@ces/test/support/replicated-database.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  aCompany,
  anObservation,
  isDelivered,
  recordCompanies,
  recordObservation,
} from '../../test-support/records.ts';
import { type StartedLookup, startLookup } from '../../test-support/started-lookup.ts';

const TIMES = 30;
let database: ReplicatedDatabase;
let service: StartedLookup;

beforeAll(async () => {
  database = await createReplicatedDatabase('lookup');
  service = await startLookup(undefined, { ...database, url: database.primaryUrl });
  await recordCompanies(service, [aCompany('a', { hostnames: ['a.example'] })]);
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

test('withdrawn evidence is in no later answer, whichever server gives it', async () => {
  for (let n = 0; n < TIMES; n += 1) {
    const id = await recordObservation(service, anObservation(`record ${n}`, 'a'));
    expect(await isDelivered(service, id)).toBe(true);
    const [company] = (await service.lookup.lookUpCompanies({ domains: ['a.example'] })).companies;
    const reference = { companyId: company?.id ?? 0n, observationIds: [id] };
    expect(company?.observations.map((one) => one.id)).toContain(id);
    const since = await service.lookup.lookUpObservations({
      domains: ['a.example'],
      since: { seconds: 0n },
      limit: 100,
    });
    expect(since.observations.map((one) => one.id)).toContain(id);

    await service.record.withdrawEvidence({ observationId: id, reason: 'wrong' });
    expect(await isDelivered(service, id)).toBe(false);
    const [after] = (await service.lookup.lookUpCompanies({ domains: ['a.example'] })).companies;
    expect(after?.observations.map((one) => one.id) ?? []).not.toContain(id);
    const hydrated = await service.lookup.hydrate({ companies: [reference] });
    expect(hydrated.companies[0]?.company).toBeUndefined();
    const { observations } = await service.lookup.getDocuments({ observationIds: [id] });
    expect(observations[0]?.tombstone).toBe(true);
  }
});

test('answers do come from the replica', async () => {
  const reads = `select sum(calls) > 0 as read from (
    select count(*) as calls from pg_stat_activity where application_name = 'lookup replica' and query like '%commit%') seen`;
  await expect
    .poll(
      async () => {
        await service.lookup.lookUpCompanies({ domains: ['a.example'] });
        return await database.onReplica(reads);
      },
      { timeout: 60_000 },
    )
    .toEqual([{ read: true }]);
});

test('a stalled or missing replica costs no answer', async () => {
  const id = await recordObservation(service, anObservation('kept', 'a'));
  await database.onReplica('select pg_wal_replay_pause()');
  const hidden = await recordObservation(service, anObservation('hidden', 'a'));
  await service.record.withdrawEvidence({ observationId: hidden, reason: 'wrong' });
  expect(await isDelivered(service, hidden)).toBe(false);
  await database.stopReplica();
  expect(await isDelivered(service, id)).toBe(true);
  expect(await isDelivered(service, hidden)).toBe(false);
});
