import type { MessageInitShape } from '@bufbuild/protobuf';
import { RecordOutcome } from '@ces/proto/ces/lookup/v1/record_pb.ts';
import type { TakeDownScopeSchema } from '@ces/proto/ces/lookup/v1/record_service_pb.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inline, named, recordOne } from '../../test-support/inline.ts';
import {
  aCompany,
  anObservation,
  aPassage,
  hashOf,
  isDelivered,
  recordCompanies,
  recordObservations,
} from '../../test-support/records.ts';
import { type StartedLookup, startLookup } from '../../test-support/started-lookup.ts';

let service: StartedLookup;

beforeAll(async () => {
  service = await startLookup();
});

afterAll(() => service[Symbol.asyncDispose]());

type ScopeShape = MessageInitShape<typeof TakeDownScopeSchema>['scope'];

async function takeDown(scope: ScopeShape, reason = 'the publisher asks') {
  return await service.record.takeDown({ reason, ...(scope && { scope: { scope } }) });
}

async function deliveredOf(...ids: bigint[]): Promise<boolean[]> {
  return await Promise.all(ids.map((id) => isDelivered(service, id)));
}

async function outcomeOf(source: string, record: ReturnType<typeof inline>) {
  const { observations } = await service.record.recordEvidence({ source, observations: [record] });
  return observations[0];
}

const discriminating = { eventIdentifiers: [{ scheme: 'solicitation', value: 'W9999-123456/A' }] };

test('a take-down by source withdraws its records, refuses new ones, and keeps records of other sources', async () => {
  const own = await recordOne(service, 'gone', inline('own', named('Adler Mills Ltd.')));
  const shared = await recordOne(service, 'kept', inline('shared', named('Brandt Mills Ltd.'), discriminating));
  await recordOne(service, 'gone', inline('shared too', named('Brandt Mills Ltd.'), discriminating));
  await recordCompanies(service, [aCompany('m')], 'data set');
  const [ofSet = 0n, ofOrigin = 0n] = await recordObservations(
    service,
    [anObservation('m 1', 'm'), anObservation('m 2', 'm', { origin: 'gone' })],
    'data set',
  );

  const down = await takeDown({ case: 'source', value: 'gone' });
  expect(down).toMatchObject({ observations: 2n, evidence: 1n });
  expect(await deliveredOf(own.observationId, ofOrigin, shared.observationId, ofSet)).toEqual([
    false,
    false,
    true,
    true,
  ]);
  const { observation } = await service.lookup.getObservation({ observationId: shared.observationId });
  expect(observation?.evidence.map((row) => row.excerpt)).toEqual(['Excerpt of shared.']);
  expect(await outcomeOf('gone', inline('later', named('Adler Mills Ltd.')))).toMatchObject({
    outcome: RecordOutcome.REFUSED,
    reason: `take-down ${down.takeDownId} covers it`,
  });
  expect(await takeDown({ case: 'source', value: 'gone' })).toMatchObject({ takeDownId: down.takeDownId, tx: 0n });

  const lifted = await service.record.liftTakeDown({ takeDownId: down.takeDownId, reason: 'settled' });
  expect(lifted).toMatchObject({ observations: 2n, evidence: 1n, changed: true });
  expect(await deliveredOf(own.observationId, ofOrigin)).toEqual([true, true]);
  expect((await outcomeOf('gone', inline('later', named('Adler Mills Ltd.'))))?.outcome).toBe(RecordOutcome.CREATED);
  expect(await service.record.liftTakeDown({ takeDownId: down.takeDownId, reason: 'again' })).toMatchObject({
    changed: false,
    tx: 0n,
  });
});

test('a take-down by licence covers every source registered under it', async () => {
  const register = (name: string, licence: string) =>
    service.record.registerSource({ source: { name, title: name, publisher: 'p', licence, attribution: 'a' } });
  await register('open one', 'Open');
  await register('closed one', 'Closed');
  const open = await recordOne(service, 'open one', inline('l 1', named('Castor Mills Ltd.')));
  const closed = await recordOne(service, 'closed one', inline('l 2', named('Castor Mills Ltd.')));
  await takeDown({ case: 'licence', value: 'Closed' });
  expect(await deliveredOf(open.observationId, closed.observationId)).toEqual([true, false]);
  expect((await outcomeOf('closed one', inline('l 3', named('Castor Mills Ltd.'))))?.reason).toContain('take-down');
});

test('a take-down by company or hostname covers all that were merged with it', async () => {
  const company = named('Dorian Mills Ltd.', { hostnames: ['dorian.example'] });
  const one = await recordOne(service, 'x', inline('d 1', company));
  const two = await recordOne(service, 'y', inline('d 2', named('Dorian Mills Limited')));
  expect(two.companyId).toBe(one.companyId);
  for (const scope of [
    { case: 'companyId', value: one.companyId },
    { case: 'hostname', value: 'DORIAN.example.' },
  ] as const) {
    const { takeDownId, observations } = await takeDown(scope);
    expect(observations).toBe(2n);
    expect(await deliveredOf(one.observationId, two.observationId)).toEqual([false, false]);
    expect((await outcomeOf('z', inline('d 3', named('Dorian Mills Ltd.', { key: 'new' }))))?.reason).toContain(
      `take-down ${takeDownId}`,
    );
    await service.record.liftTakeDown({ takeDownId, reason: 'settled' });
    expect(await deliveredOf(one.observationId, two.observationId)).toEqual([true, true]);
  }
});

test('a take-down by raw record covers what was taken from it, an imported line by its own hash too', async () => {
  const raw = { rawRecordHash: hashOf('raw page'), textHash: hashOf('text'), extractorVersion: 'html/1' };
  const taken = await recordOne(
    service,
    'x',
    inline('raw 1', named('Elmar Mills Ltd.'), { evidence: [aPassage('From the page.', raw)] }),
  );
  await recordCompanies(service, [aCompany('e')], 'set e');
  const [line = 0n] = await recordObservations(service, [anObservation('e 1', 'e')], 'set e');
  await takeDown({ case: 'rawRecordHash', value: hashOf('raw page') });
  await takeDown({ case: 'rawRecordHash', value: hashOf('e 1') });
  expect(await deliveredOf(taken.observationId, line)).toEqual([false, false]);
});

test('a row withdrawn by two take-downs or an operator is restored only when all have been lifted', async () => {
  const company = named('Fenn Mills Ltd.', { hostnames: ['fenn.example'] });
  const { observationId, companyId } = await recordOne(service, 'f', inline('f 1', company));
  const manual = await recordOne(service, 'f', inline('f 2', company));
  await service.record.withdrawEvidence({ observationId: manual.observationId, reason: 'wrong' });
  const byCompany = await takeDown({ case: 'companyId', value: companyId });
  const byHost = await takeDown({ case: 'hostname', value: 'fenn.example' });
  expect([byCompany.observations, byHost.observations]).toEqual([1n, 0n]);
  await expect(service.record.restoreEvidence({ observationId })).rejects.toThrow('lift that first');
  await service.record.liftTakeDown({ takeDownId: byCompany.takeDownId, reason: 'settled' });
  expect(await deliveredOf(observationId)).toEqual([false]);
  await service.record.liftTakeDown({ takeDownId: byHost.takeDownId, reason: 'settled' });
  expect(await deliveredOf(observationId, manual.observationId)).toEqual([true, false]);
});

test('take-downs are listed with reason and caller, and every one and its lifting has an audit row', async () => {
  const { takeDownId } = await takeDown({ case: 'source', value: 'listed' }, 'a court order');
  const active = await service.record.listTakeDowns({});
  expect(active.takeDowns[0]).toMatchObject({
    id: takeDownId,
    scope: { scope: { case: 'source', value: 'listed' } },
    reason: 'a court order',
    caller: 'admin',
  });
  await service.record.liftTakeDown({ takeDownId, reason: 'appeal' });
  expect((await service.record.listTakeDowns({})).takeDowns.map((one) => one.id)).not.toContain(takeDownId);
  const all = await service.record.listTakeDowns({ liftedToo: true });
  expect(all.takeDowns[0]).toMatchObject({ id: takeDownId, liftedReason: 'appeal', liftedAt: expect.anything() });
  const { rows } = await service.owner.query(
    'select action, caller, reason from audit where take_down_id = $1 order by id',
    [takeDownId],
  );
  expect(rows).toEqual([
    { action: 'take_down', caller: 'admin', reason: 'a test' },
    { action: 'lift', caller: 'admin', reason: 'a test' },
  ]);
});

test('a take-down of thousands is applied in small transactions and to the last', async () => {
  await recordCompanies(service, [aCompany('many')], 'many');
  for (let batch = 0; batch < 3; batch += 1)
    await recordObservations(
      service,
      Array.from({ length: 500 }, (_, n) => anObservation(`many ${batch} ${n}`, 'many')),
      'many',
    );
  expect(await takeDown({ case: 'source', value: 'many' })).toMatchObject({ observations: 1500n });
  const { rows } = await service.owner.query<{ n: bigint }>(
    `select count(*) as n from change c join observation o on o.id = c.observation_id
      where o.source = 'many' group by c.tx order by n desc limit 1`,
  );
  expect(rows[0]?.n).toBe(500n);
});

test('a record that races with a take-down is withdrawn or refused, never left', async () => {
  const records = Array.from({ length: 30 }, (_, n) => inline(`racing ${n}`, named(`Glenor Mills ${n}word Ltd.`)));
  const written = Promise.all(
    records.map((record) => service.record.recordEvidence({ source: 'racing', observations: [record] })),
  );
  await takeDown({ case: 'source', value: 'racing' });
  await written;
  const { rows } = await service.owner.query(
    "select 1 from observation where source = 'racing' and withdrawn_at is null",
  );
  expect(rows).toEqual([]);
});

test.each([
  ['no scope', undefined, 'scope is missing'],
  ['no name', { case: 'source', value: ' ' }, 'source must be'],
  ['no hostname', { case: 'hostname', value: 'a b' }, 'hostname is none'],
  ['a short hash', { case: 'rawRecordHash', value: new Uint8Array(3) }, 'not 32 bytes'],
  ['no company', { case: 'companyId', value: 0n }, 'at least 1'],
] as const)('a take-down of %s is refused', async (_, scope, message) => {
  await expect(takeDown(scope as ScopeShape)).rejects.toThrow(message);
});
