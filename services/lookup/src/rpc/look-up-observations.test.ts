import { randomInt } from 'node:crypto';
import { timestampDate } from '@bufbuild/protobuf/wkt';
import { inTransaction } from '@ces/chassis/postgres/pool';
import type { LookUpObservationsResponse } from '@ces/proto/ces/lookup/v1/lookup_service_pb.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  aCompany,
  anObservation,
  aPassage,
  at,
  hashOf,
  merge,
  recordCompanies,
  recordCompany,
  recordObservations,
  SOURCE,
} from '../../test-support/records.ts';
import { type StartedLookup, startLookup } from '../../test-support/started-lookup.ts';
import { lockCommitOrder, readCompleteness } from '../db/commit-order.ts';
import { addEvidence } from '../db/evidence.ts';
import { insertObservations } from '../db/observation.ts';
import { checkObservation } from '../validation/check-observation.ts';

const LONG_AGO = at('2000-01-01T00:00:00Z');

let service: StartedLookup;

beforeAll(async () => {
  service = await startLookup();
});

afterAll(() => service[Symbol.asyncDispose]());

function idsOf(answer: LookUpObservationsResponse): bigint[] {
  return answer.observations.map((observation) => observation.id);
}

function poll(domain: string, since = LONG_AGO) {
  return service.lookup.lookUpObservations({ domains: [domain], since, limit: 100 });
}

test('observations come oldest recorded first, and the next poll from as_of brings only what was recorded since', async () => {
  const companyId = await recordCompany(service, 'new', 'new.example');
  const first = await recordObservations(service, [anObservation('new 1', 'new'), anObservation('new 2', 'new')]);
  const before = await poll('new.example');
  expect(idsOf(before)).toEqual(first);
  expect(before).toMatchObject({ hasMore: false, domainFound: [true] });
  expect(before.observations[0]?.company).toMatchObject({ id: companyId, name: 'Company new' });
  const second = await recordObservations(service, [anObservation('new 3', 'new')]);
  expect(idsOf(await poll('new.example', before.asOf))).toEqual(second);
});

test('new evidence on an old observation does not bring it back', async () => {
  await recordCompany(service, 'old', 'old.example');
  await recordObservations(service, [anObservation('old', 'old')]);
  const { asOf } = await poll('old.example');
  await recordObservations(service, [
    anObservation('old', 'old', { evidence: [aPassage('Amended.')], contentHash: hashOf('amended') }),
  ]);
  expect(idsOf(await poll('old.example', asOf))).toEqual([]);
});

test('pages follow the keyset within the first as_of, also through observations recorded together', async () => {
  await recordCompany(service, 'paged', 'paged.example');
  const recorded = await recordObservations(
    service,
    Array.from({ length: 7 }, (_, n) => anObservation(`paged ${n}`, 'paged')),
  );
  const request = { domains: ['paged.example'], since: LONG_AGO, limit: 3 };
  const first = await service.lookup.lookUpObservations(request);
  await recordObservations(service, [anObservation('paged late', 'paged')]);
  const { asOf: until = LONG_AGO } = first;
  const pages = [first];
  for (let last = first; last.hasMore; last = pages.at(-1) as typeof first) {
    const { lastRecordedAt: afterRecordedAt = LONG_AGO, lastId: afterId } = last;
    pages.push(await service.lookup.lookUpObservations({ ...request, afterRecordedAt, afterId, until }));
  }
  expect(pages.map((page) => page.observations.length)).toEqual([3, 3, 1]);
  expect(pages.flatMap(idsOf)).toEqual(recorded);
  for (const page of pages) expect(page.asOf).toEqual(until);
});

test('a hostname tied to several companies brings the observations of each, merged ones under their canonical company', async () => {
  const a = await recordCompany(service, 'tied a', 'tied.example');
  const b = await recordCompany(service, 'tied b', 'tied.example');
  await recordObservations(service, [anObservation('tied a', 'tied a'), anObservation('tied b', 'tied b')]);
  const companies = async () => (await poll('tied.example')).observations.map((observation) => observation.company?.id);
  expect(await companies()).toEqual([a, b]);
  await merge(service, a, b);
  expect(await companies()).toEqual([b, b]);
});

test('withdrawn and expired observations are left out, and a hostname that was never recorded is not found', async () => {
  await recordCompany(service, 'quiet', 'quiet.example');
  const [, withdrawn = 0n] = await recordObservations(service, [
    anObservation('quiet expired', 'quiet', { expiresAt: at('2020-01-01T00:00:00Z') }),
    anObservation('quiet withdrawn', 'quiet'),
  ]);
  await service.record.withdrawEvidence({ observationId: withdrawn, reason: 'test' });
  const answer = await service.lookup.lookUpObservations({
    domains: ['quiet.example', 'unknown.example'],
    since: LONG_AGO,
    limit: 1,
  });
  expect(answer).toMatchObject({ observations: [], domainFound: [true, false], hasMore: false });
});

test('as_of stays before a recording whose transaction is still open, and never waits', async () => {
  const companyId = await recordCompany(service, 'open', 'open.example');
  await recordObservations(service, [anObservation('open before', 'open')]);
  const observationId = 9_000_001n;
  const checked = checkObservation(SOURCE, anObservation('open late', 'open'));
  if (!checked.ok) throw new Error(checked.reason);
  const assigned = [{ observationId, companyId, record: checked.record }];
  const during = await inTransaction(service.pool, async (client) => {
    await lockCommitOrder(client);
    await insertObservations(client, SOURCE, assigned);
    await addEvidence(client, SOURCE, assigned);
    return await readCompleteness(service.pool);
  });
  const { rows } = await service.owner.query<{ recorded_at: Date }>(
    'select recorded_at from observation where id = $1',
    [observationId],
  );
  const recordedAt = rows[0]?.recorded_at ?? new Date(0);
  expect(during.getTime()).toBeLessThan(recordedAt.getTime());
  expect((await readCompleteness(service.pool)).getTime()).toBeGreaterThanOrEqual(recordedAt.getTime());
});

test('a poller misses nothing that is recorded after the clock of the database was set back', async () => {
  await recordCompany(service, 'set back', 'set-back.example');
  await service.owner.query(`update completeness set complete_until = complete_until + interval '1 hour'`);
  const { asOf: answered = LONG_AGO } = await poll('set-back.example');
  expect(timestampDate(answered).getTime()).toBeGreaterThan(Date.now() + 3_000_000);
  const recorded = await recordObservations(service, [anObservation('set back', 'set back')]);
  const { asOf: next = LONG_AGO, ...answer } = await poll('set-back.example', answered);
  expect(idsOf(answer)).toEqual(recorded);
  expect(idsOf(await poll('set-back.example', next))).toEqual([]);
});

test('a poller that passes as_of on sees every observation once while many record at the same time', async () => {
  const writers = 6;
  const batches = 12;
  const seed = randomInt(1_000_000);
  console.log(`seed ${seed}`);
  await recordCompanies(
    service,
    Array.from({ length: writers }, (_, n) => aCompany(`busy ${n}`, { hostnames: ['busy.example'] })),
  );
  await recordObservations(
    service,
    Array.from({ length: writers }, (_, n) => anObservation(`busy ${n} first`, `busy ${n}`)),
  );
  const seen: bigint[] = [];
  let since = LONG_AGO;
  const pollOn = async () => {
    const request = { domains: ['busy.example'], since, limit: 100 };
    let page = await service.lookup.lookUpObservations(request);
    const { asOf: until = since } = page;
    seen.push(...idsOf(page));
    while (page.hasMore) {
      const { lastRecordedAt: afterRecordedAt = since, lastId: afterId } = page;
      page = await service.lookup.lookUpObservations({ ...request, afterRecordedAt, afterId, until });
      seen.push(...idsOf(page));
    }
    since = until;
  };
  let writing = true;
  const write = async (writer: number) => {
    for (let batch = 0; batch < batches; batch += 1) {
      const size = 1 + ((hashOf(`${seed} ${writer} ${batch}`)[0] ?? 0) % 20);
      const records = Array.from({ length: size }, (_, n) =>
        anObservation(`busy ${writer} ${batch} ${n}`, `busy ${writer}`),
      );
      await recordObservations(service, records);
    }
  };
  const written = Promise.all(Array.from({ length: writers }, (_, n) => write(n))).finally(() => {
    writing = false;
  });
  while (writing) await pollOn();
  await written;
  await pollOn();
  const { rows } = await service.owner.query<{ id: bigint; recorded_at: Date }>(
    `select o.id, o.recorded_at from observation o join source_record r on r.observation_id = o.id
      where r.source_key like 'busy %' order by o.recorded_at, o.id`,
  );
  expect(seen).toEqual(rows.map((row) => row.id));
  expect(rows.at(-1)?.recorded_at.getTime()).toBeLessThanOrEqual(timestampDate(since).getTime());
});

test('no hostname, more than a hundred, no since or a bad limit is refused', async () => {
  const good = { domains: ['a.example'], since: LONG_AGO, limit: 1 };
  const { since: _, ...endless } = good;
  const domains = Array.from({ length: 101 }, (_, n) => `d${n}.example`);
  for (const bad of [
    { ...good, domains: [] },
    { ...good, domains },
    { ...good, limit: 0 },
    { ...good, limit: 101 },
    endless,
  ])
    await expect(service.lookup.lookUpObservations(bad)).rejects.toThrow();
});
