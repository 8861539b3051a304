import { Country, Kind } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import { RecordOutcome } from '@ces/proto/ces/lookup/v1/record_pb.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  aCompany,
  anObservation,
  aPassage,
  aProfile,
  at,
  hashOf,
  recordCompanies,
  SOURCE,
} from '../../test-support/records.ts';
import { type StartedLookup, startLookup } from '../../test-support/started-lookup.ts';

let service: StartedLookup;

beforeAll(async () => {
  service = await startLookup();
  await recordCompanies(service, [aCompany('a'), aCompany('b')]);
});

afterAll(() => service[Symbol.asyncDispose]());

function send(...observations: ReturnType<typeof anObservation>[]) {
  return service.record.recordEvidence({ source: SOURCE, observations });
}

async function sendOne(observation: ReturnType<typeof anObservation>) {
  const answer = await send(observation);
  const [result] = answer.observations;
  if (!result) throw new Error('no result');
  return { ...result, tx: answer.tx };
}

test('a new record is created with all that it holds', async () => {
  const record = anObservation('created', 'a', {
    expiresAt: at('2099-01-01T00:00:00Z'),
    categories: ['31-33', '23', '23'],
    origin: 'registry',
    operationId: 7n,
  });
  const result = await sendOne(record);
  expect(result.outcome).toBe(RecordOutcome.CREATED);
  const report = await service.record.getEvidence({ observationId: result.observationId });
  expect(report).toMatchObject({ companyName: 'Company a', source: SOURCE, deliverable: true });
  expect(report.record).toMatchObject({ ...record, categories: ['31-33', '23'], evidence: record.evidence });
});

test('an unchanged record is seen: last_seen_at moves forward, never back, and readers are not notified', async () => {
  const { observationId } = await sendOne(anObservation('seen', 'a'));
  const repeat = (day: string) =>
    sendOne(anObservation('seen', 'a', { evidence: [aPassage('Excerpt of seen.', { lastSeenAt: at(day) })] }));
  for (const day of ['2026-02-01T00:00:00Z', '2026-01-20T00:00:00Z'])
    expect(await repeat(day)).toMatchObject({ outcome: RecordOutcome.SEEN, observationId, tx: 0n });
  const report = await service.record.getEvidence({ observationId });
  expect(report.evidence.map((row) => row.evidence?.lastSeenAt)).toEqual([at('2026-02-01T00:00:00Z')]);
  expect(report.record?.observedAt).toEqual(at('2026-01-03T00:00:00Z'));
});

test('a later occurrence may move the expiry of an unchanged record, and readers are notified', async () => {
  const seen = (seenDay: string, expiry: string) =>
    anObservation('expiring', 'a', {
      expiresAt: at(expiry),
      evidence: [aPassage('Excerpt of expiring.', { lastSeenAt: at(seenDay) })],
    });
  const { observationId } = await sendOne(seen('2026-02-01T00:00:00Z', '2099-02-15T00:00:00Z'));
  const later = await sendOne(seen('2026-02-10T00:00:00Z', '2099-02-24T00:00:00Z'));
  expect(later.outcome).toBe(RecordOutcome.SEEN);
  expect(later.tx).toBeGreaterThan(0n);
  const earlier = await sendOne(seen('2026-02-05T00:00:00Z', '2099-02-19T00:00:00Z'));
  expect(earlier.tx).toBe(0n);
  const report = await service.record.getEvidence({ observationId });
  expect(report.record?.expiresAt).toEqual(at('2099-02-24T00:00:00Z'));
});

test('a changed record amends: new evidence on the same observation, observed_at stays', async () => {
  const { observationId } = await sendOne(anObservation('amended', 'a'));
  const amendment = anObservation('amended', 'a', {
    observedFact: 'The closing date has moved.',
    observedAt: at('2026-01-10T00:00:00Z'),
    evidence: [aPassage('The closing date is now in March.', { observedAt: at('2026-01-10T00:00:00Z') })],
    contentHash: hashOf('amended once'),
  });
  expect(await sendOne(amendment)).toMatchObject({ outcome: RecordOutcome.AMENDED, observationId });
  expect(await sendOne(amendment)).toMatchObject({ outcome: RecordOutcome.SEEN, observationId, tx: 0n });
  const report = await service.record.getEvidence({ observationId });
  expect(report.record?.observedFact).toBe('The closing date has moved.');
  expect(report.record?.observedAt).toEqual(at('2026-01-03T00:00:00Z'));
  expect(report.evidence.map((row) => row.evidence?.excerpt)).toEqual([
    'The closing date is now in March.',
    'Excerpt of amended.',
  ]);
});

test('an older amendment adds its evidence and reverts nothing', async () => {
  const newer = anObservation('late', 'a', { observedFact: 'Newer.', observedAt: at('2026-03-01T00:00:00Z') });
  const { observationId } = await sendOne(newer);
  const older = anObservation('late', 'a', {
    observedFact: 'Older.',
    evidence: [aPassage('What the notice held before.')],
    contentHash: hashOf('older'),
  });
  expect((await sendOne(older)).outcome).toBe(RecordOutcome.AMENDED);
  const report = await service.record.getEvidence({ observationId });
  expect(report.record?.observedFact).toBe('Newer.');
  expect(report.evidence).toHaveLength(2);
});

test('the same record twice in one batch is one observation, and a changed second one amends the first', async () => {
  const first = anObservation('twice', 'a');
  const changed = anObservation('twice', 'a', { observedFact: 'Changed.', contentHash: hashOf('twice changed') });
  const { observations } = await send(first, first, changed, anObservation('beside', 'b'));
  expect(observations.map((one) => one.outcome)).toEqual([
    RecordOutcome.CREATED,
    RecordOutcome.SEEN,
    RecordOutcome.AMENDED,
    RecordOutcome.CREATED,
  ]);
  expect(new Set(observations.map((one) => one.observationId)).size).toBe(2);
});

test.each([
  ['kind', { kind: Kind.UNSPECIFIED }, 'kind is not one of the nine'],
  ['event date', { kind: Kind.JOB_POSTING, occurredAt: undefined }, 'occurred_at is missing'],
  ['country', { country: Country.UNSPECIFIED }, 'country is neither CA nor US'],
  ['confidence', { confidence: 1.01 }, 'confidence is not between 0 and 1'],
  ['confidence that is none', { confidence: Number.NaN }, 'confidence is not between 0 and 1'],
  ['fact', { observedFact: '  ' }, 'observed_fact is empty'],
  ['long fact', { observedFact: 'x'.repeat(2001) }, 'observed_fact is longer than 2000 characters'],
  ['null character', { whyItMayMatter: 'a\0b' }, 'why_it_may_matter contains a null character'],
  ['key', { key: '' }, 'key is empty'],
  ['company', { companyKey: 'unknown' }, 'its company is not recorded'],
  ['collection date', { observedAt: undefined }, 'observed_at is missing'],
  ['year', { occurredAt: at('0900-01-01T00:00:00Z') }, 'occurred_at is out of range'],
  ['no evidence', { evidence: [] }, 'evidence must have 1 to 10 passages'],
  ['too much evidence', { evidence: Array.from({ length: 11 }, (_, n) => aPassage(`${n}`)) }, 'evidence must have'],
  ['excerpt', { evidence: [aPassage('é'.repeat(601))] }, 'excerpt is longer than 600 characters'],
  ['scheme', { evidence: [aPassage('x', { sourceUri: 'ftp://x.example' })] }, 'source_uri is no http or https address'],
  [
    'address in a link',
    { evidence: [aPassage('x', { sourceUri: 'https://x.example/mail?to=jane%40agency.example' })] },
    'source_uri contains an e-mail address',
  ],
  ['e-mail address', { evidence: [aPassage('Ask jo@buyer.example.')] }, 'excerpt contains an e-mail address'],
  ['telephone number', { observedFact: 'Call (613) 555-0142.' }, 'observed_fact contains a telephone number'],
  ['sector', { categories: ['99'] }, 'categories holds more than NAICS 2022 sectors'],
  ['hash', { contentHash: new Uint8Array(31) }, 'content_hash is not 32 bytes'],
])('a record with a bad %s is refused by itself, with its reason', async (name, fields, reason) => {
  const key = `refused ${name}`;
  const { observations } = await send(
    anObservation(`${key} before`, 'a'),
    { ...anObservation(key, 'a'), ...(fields as object) } as ReturnType<typeof anObservation>,
    anObservation(`${key} after`, 'b'),
  );
  expect(observations.map((one) => one.outcome)).toEqual([
    RecordOutcome.CREATED,
    RecordOutcome.REFUSED,
    RecordOutcome.CREATED,
  ]);
  expect(observations[1]).toMatchObject({ observationId: 0n, reason: expect.stringContaining(reason) });
});

test('600 code points are accepted whatever their width, a clause number is no telephone number', async () => {
  const excerpt = `${'🏭'.repeat(570)} DFARS 252.211-7003`;
  const result = await sendOne(anObservation('wide', 'a', { evidence: [aPassage(excerpt)] }));
  expect(result).toMatchObject({ outcome: RecordOutcome.CREATED, reason: '' });
});

test('a record never changes its company or kind', async () => {
  await sendOne(anObservation('fixed', 'a'));
  expect((await sendOne(anObservation('fixed', 'b'))).reason).toContain('another company');
  expect((await sendOne(aProfile('fixed', 'a'))).reason).toContain('recorded as procurement_request');
});

test('a batch of 501 records is refused whole, as is one without a source', async () => {
  const observations = Array.from({ length: 501 }, (_, n) => anObservation(`many ${n}`, 'a'));
  await expect(service.record.recordEvidence({ source: SOURCE, observations })).rejects.toThrow('At most 500');
  await expect(service.record.recordEvidence({ source: ' ', observations: [] })).rejects.toThrow('source must be');
});

test('batches that race over the same source keys in different orders end with the same rows', async () => {
  const records = Array.from({ length: 60 }, (_, n) => anObservation(`race ${n}`, n % 2 ? 'a' : 'b'));
  const shuffles = Array.from({ length: 8 }, (_, n) => records.toSorted((x, y) => order(x.key, n) - order(y.key, n)));
  const answers = await Promise.all(shuffles.map((observations) => send(...observations)));
  const ids = answers.map(({ observations }, n) =>
    Object.fromEntries(observations.map((one, index) => [shuffles[n]?.[index]?.key, one.observationId])),
  );
  for (const other of ids) expect(other).toEqual(ids[0]);
  const created = answers.flatMap(({ observations }) => observations).filter((one) => one.outcome === 1);
  expect(created).toHaveLength(60);
  const { rows } = await service.owner.query(
    `select count(*) as n from observation o join source_record r on r.observation_id = o.id where r.source_key like 'race %'`,
  );
  expect(rows).toEqual([{ n: 60n }]);
});

function order(key: string, salt: number): number {
  return hashOf(`${salt} ${key}`)
    .slice(0, 4)
    .reduce((sum, byte) => sum * 256 + byte, 0);
}
