import { create } from '@bufbuild/protobuf';
import { Kind } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import { type ClosingRecord, ClosingRecordSchema, RecordOutcome } from '@ces/proto/ces/lookup/v1/record_pb.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inline, named, numbered, recordOne } from '../../test-support/inline.ts';
import { aPassage, at, hashOf } from '../../test-support/records.ts';
import { type StartedLookup, startLookup } from '../../test-support/started-lookup.ts';

let service: StartedLookup;

beforeAll(async () => {
  service = await startLookup();
});

afterAll(() => service[Symbol.asyncDispose]());

const buyer = named('Department of National Defence');
const number = (value: string, scheme = 'solicitation') => ({ eventIdentifiers: [{ scheme, value }] });
const report = (observationId: bigint) => service.record.getEvidence({ observationId });

test('two sources that share a number report one observation, with the evidence of both and the higher confidence', async () => {
  const first = await recordOne(service, 'a', inline('a1', buyer, { ...number('W8476-133993/A'), confidence: 0.7 }));
  const second = await recordOne(
    service,
    'b',
    inline('b1', buyer, {
      ...number('w8476 133993 a'),
      observedFact: 'As the other source puts it.',
      observedAt: at('2026-02-01T00:00:00Z'),
    }),
  );
  expect(second).toMatchObject({ outcome: RecordOutcome.AMENDED, observationId: first.observationId });
  const { record, evidence } = await report(first.observationId);
  expect(record).toMatchObject({
    observedFact: 'Fact of a1.',
    confidence: 0.9,
    observedAt: at('2026-01-03T00:00:00Z'),
  });
  expect(evidence.map((row) => [row.source, row.evidence?.excerpt])).toEqual([
    ['b', 'Excerpt of b1.'],
    ['a', 'Excerpt of a1.'],
  ]);
  const again = await recordOne(service, 'b', inline('b1', buyer, number('W8476-133993/A')));
  expect(again).toMatchObject({ outcome: RecordOutcome.SEEN, observationId: first.observationId, tx: 0n });
});

test('a discriminating number is one event whichever buyer the source names; a short one only within a company', async () => {
  const other = named('Directorate of Land Procurement');
  const long = await recordOne(service, 'a', inline('long a', buyer, number('CA:EP959-240001')));
  expect((await recordOne(service, 'b', inline('long b', other, number('CAEP959240001')))).observationId).toBe(
    long.observationId,
  );
  const short = await recordOne(service, 'a', inline('short a', buyer, number('2014-1')));
  expect((await recordOne(service, 'b', inline('short b', other, number('2014-1')))).observationId).not.toBe(
    short.observationId,
  );
  expect((await recordOne(service, 'c', inline('short c', buyer, number('2014-1')))).observationId).toBe(
    short.observationId,
  );
});

test('one number of two kinds is two events', async () => {
  const filing = (kind: Kind) =>
    inline(`filing ${kind}`, buyer, { ...number('0001045810-26-000024', 'accession'), kind });
  const one = await recordOne(service, 'a', filing(Kind.LEADERSHIP_CHANGE));
  expect((await recordOne(service, 'a', filing(Kind.PARTNERSHIP))).observationId).not.toBe(one.observationId);
});

test('the same company, kind, day and title is one event; a title that only resembles it is not', async () => {
  const titled = (key: string, title: string, fields = {}) => inline(key, buyer, { title, ...fields });
  const first = await recordOne(service, 'a', titled('t a', 'Snow Removal – Garrison Érablière'));
  const same = async (key: string, title: string, fields = {}) =>
    (await recordOne(service, 'b', titled(key, title, fields))).observationId === first.observationId;
  expect(await same('t b', 'SNOW REMOVAL, GARRISON ERABLIERE')).toBe(true);
  expect(await same('t c', 'Snow Removal – Garrison Érablière 2')).toBe(false);
  expect(await same('t d', 'Snow Removal – Garrison Érablière', { occurredAt: at('2026-01-03T00:00:00Z') })).toBe(
    false,
  );
  expect(await same('t e', 'Snow Removal – Garrison Érablière', { kind: Kind.PARTNERSHIP })).toBe(false);
  const other = await recordOne(
    service,
    'b',
    inline('t f', named('Tamrin Glass Ltd.'), { title: 'Snow Removal – Garrison Érablière' }),
  );
  expect(other.observationId).not.toBe(first.observationId);
});

test('numbers of one scheme that differ are two events, whatever their titles', async () => {
  const first = await recordOne(service, 'a', inline('u a', buyer, { title: 'Fuel', ...number('W0001-990001/A') }));
  const second = await recordOne(service, 'b', inline('u b', buyer, { title: 'Fuel', ...number('W0001-990002/A') }));
  expect(second.observationId).not.toBe(first.observationId);
  expect((await recordOne(service, 'c', inline('u c', buyer, { title: 'Fuel' }))).observationId).toBe(
    first.observationId,
  );
});

test('an amendment published as a record of its own amends the same observation, and older occurrences revert nothing', async () => {
  const notice = (key: string, fact: string, day: string, closes: string) =>
    inline(key, buyer, {
      ...number('W0002-880001/B'),
      observedFact: fact,
      occurredAt: at(day),
      expiresAt: at(closes),
      evidence: [aPassage(`Passage of ${key}.`, { occurredAt: at(day) })],
    });
  const original = notice('n 000', 'Closes in March.', '2026-01-02T00:00:00Z', '2099-03-01T00:00:00Z');
  const { observationId } = await recordOne(service, 'a', original);
  const amendment = notice('n 001', 'Closes in April.', '2026-01-20T00:00:00Z', '2099-04-01T00:00:00Z');
  expect(await recordOne(service, 'a', amendment)).toMatchObject({ outcome: RecordOutcome.AMENDED, observationId });
  await recordOne(service, 'a', { ...original, observedAt: at('2026-05-01T00:00:00Z') });
  const { record, evidence } = await report(observationId);
  expect(record).toMatchObject({
    observedFact: 'Closes in April.',
    expiresAt: at('2099-04-01T00:00:00Z'),
    occurredAt: at('2026-01-02T00:00:00Z'),
  });
  expect(evidence).toHaveLength(2);
});

test('records of one event in one batch are one observation', async () => {
  const records = ['x', 'y', 'z'].map((key) => inline(`batch ${key}`, buyer, number('W0003-770001/C')));
  const { observations } = await service.record.recordEvidence({ source: 'a', observations: records });
  expect(observations.map((one) => one.outcome)).toEqual([
    RecordOutcome.CREATED,
    RecordOutcome.AMENDED,
    RecordOutcome.AMENDED,
  ]);
  expect(new Set(observations.map((one) => one.observationId)).size).toBe(1);
});

test('sources that race over the same events from two processes end with one observation each', async () => {
  const processes = [service, await service.startTwin()];
  const numbers = Array.from({ length: 15 }, (_, n) => `W0004-66${String(n).padStart(4, '0')}/A`);
  const answers = await Promise.all(
    ['a', 'b', 'c', 'd', 'e', 'f'].map((source, n) => {
      const order = n % 3 ? numbers : numbers.toReversed();
      const observations = order.map((value) => inline(`${source} ${value}`, buyer, number(value)));
      const { record } = processes[n % 2] ?? service;
      return record.recordEvidence({ source, observations });
    }),
  );
  const results = answers.flatMap((answer) => answer.observations);
  expect(new Set(results.map((one) => one.observationId)).size).toBe(numbers.length);
  expect(results.filter((one) => one.outcome === RecordOutcome.CREATED)).toHaveLength(numbers.length);
});

test('numbers, titles and hostnames are refused without an inline company, and both names of a company at once', async () => {
  const bad = [
    { ...inline('bad 1', buyer), companyKey: 'x' },
    { ...inline('bad 2', buyer, number('1234567890')), company: undefined, companyKey: 'x' },
    inline('bad 3', buyer, number('1234567890', 'mood')),
    inline('bad 4', buyer, number('---')),
    inline('bad 5', buyer, { evidence: [aPassage('x', { rawRecordHash: hashOf('r') })] }),
    inline('bad 6', named('', { key: 'k' })),
  ];
  const { observations } = await service.record.recordEvidence({
    source: 'a',
    observations: bad as ReturnType<typeof inline>[],
  });
  expect(observations.map((one) => one.reason)).toEqual([
    'company and company_key are both given',
    'event_identifiers, title and hostnames need an inline company',
    expect.stringContaining("event identifier's scheme"),
    'an event identifier has neither letters nor digits',
    'text_hash is not 32 bytes',
    'name is empty',
  ]);
});

function closing(key: string, value: string, closedAt: string, fields = {}): ClosingRecord {
  return create(ClosingRecordSchema, {
    key,
    ...number(value),
    closedAt: at(closedAt),
    sourceUri: 'https://source.example/award',
    ...fields,
  });
}

async function close(...closings: ClosingRecord[]) {
  return await service.record.recordClosings({ source: 'awards', closings });
}

test('an award expires its tender, recorded before or after it, and a later occurrence does not open it again', async () => {
  const tender = (key: string) =>
    inline(key, buyer, { ...number(`W0005-${key}-2026`), expiresAt: at('2099-01-01T00:00:00Z') });
  const before = await recordOne(service, 'a', tender('550001'));
  const award = closing('award 1', 'W0005-550001-2026', '2026-01-10T00:00:00Z');
  const { closings, tx } = await close(award);
  expect(closings[0]).toMatchObject({ outcome: RecordOutcome.CREATED, observationIds: [before.observationId] });
  expect(tx).toBeGreaterThan(0n);
  expect(await close(award)).toMatchObject({ closings: [{ outcome: RecordOutcome.SEEN, observationIds: [] }], tx: 0n });
  expect((await recordOne(service, 'a', tender('550001'))).tx).toBe(0n);
  await close(closing('award 2', 'W0005-550002-2026', '2026-01-10T00:00:00Z'));
  const after = await recordOne(service, 'a', tender('550002'));
  for (const { observationId } of [before, after])
    expect(await report(observationId)).toMatchObject({
      deliverable: false,
      record: { expiresAt: at('2026-01-10T00:00:00Z') },
    });
});

test('a closing from before an event does not close it, and a short number closes only the event of one company', async () => {
  const tender = (key: string, company = buyer) => inline(key, company, number('C-77'));
  const other = named('Korvan Regional Utility', numbered('bn', '777000118'));
  const mine = await recordOne(service, 'a', tender('c 1'));
  const theirs = await recordOne(service, 'a', tender('c 2', other));
  const closed = async (...records: ClosingRecord[]) => (await close(...records)).closings[0]?.observationIds;
  expect(await closed(closing('early', 'C-77', '2025-12-01T00:00:00Z', { company: other }))).toEqual([]);
  expect(await closed(closing('whose', 'C-77', '2026-01-10T00:00:00Z'))).toEqual([]);
  const named77 = closing('theirs', 'C-77', '2026-01-10T00:00:00Z', {
    company: named('Korvan', numbered('bn', '777000118')),
  });
  expect(await closed(named77)).toEqual([theirs.observationId]);
  expect(await report(mine.observationId)).toMatchObject({ deliverable: true });
});

test('a closing without a number, an address or an instant is refused by itself', async () => {
  const { closings } = await close(
    closing('no number', 'x', '2026-01-10T00:00:00Z', { eventIdentifiers: [] }),
    closing('no address', '12345678901', '2026-01-10T00:00:00Z', { sourceUri: 'ftp://x' }),
    {
      ...closing('no instant', '12345678901', '2026-01-10T00:00:00Z'),
      closedAt: undefined,
    } as unknown as ClosingRecord,
  );
  expect(closings.map((one) => one.reason)).toEqual([
    'event_identifiers is empty',
    'source_uri is no http or https address',
    'closed_at is missing',
  ]);
});
