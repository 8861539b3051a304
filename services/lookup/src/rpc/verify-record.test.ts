import { afterAll, beforeAll, expect, test } from 'vitest';
import { inline, named, recordOne } from '../../test-support/inline.ts';
import {
  aCompany,
  anObservation,
  aPassage,
  hashOf,
  isDelivered,
  recordCompanies,
  recordObservation,
  recordObservations,
} from '../../test-support/records.ts';
import { type StartedLookup, startLookup } from '../../test-support/started-lookup.ts';

let service: StartedLookup;

beforeAll(async () => {
  service = await startLookup();
  await recordCompanies(service, [aCompany('a')]);
});

afterAll(() => service[Symbol.asyncDispose]());

async function verifyAll() {
  const unverified = new Map<bigint, string>();
  let checked = 0;
  for (let afterId = 0n; ; ) {
    const page = await service.record.verifyRecord({ afterId, limit: 2 });
    checked += page.checked;
    for (const { observationId, reason } of page.unverified) unverified.set(observationId, reason);
    afterId = page.lastId;
    if (!page.hasMore) return { checked, unverified };
  }
}

test('a record that was not tampered with passes, amended or repeated', async () => {
  const id = await recordObservation(service, anObservation('held', 'a'));
  await recordObservations(service, [
    anObservation('held', 'a', { observedFact: 'Amended.', contentHash: hashOf('2'), categories: ['23', '11'] }),
  ]);
  await recordObservations(service, [aWithdrawable()]);
  const { checked, unverified } = await verifyAll();
  expect(checked).toBeGreaterThanOrEqual(2);
  expect(unverified.size).toBe(0);
  expect(await isDelivered(service, id)).toBe(true);
});

function aWithdrawable() {
  return anObservation('withdrawable', 'a', { evidence: [aPassage('Good.'), aPassage('Bad.')] });
}

test.each([
  ['the fact', "update observation set observed_fact = observed_fact || ' ' where id = $1", 'its words differ'],
  ['the reason it may matter', "update observation set why_it_may_matter = 'w' where id = $1", 'its words differ'],
  ['the date', "update observation set occurred_at = occurred_at + interval '1 day' where id = $1", 'its words differ'],
  [
    'an excerpt',
    "update evidence set excerpt = replace(excerpt, 'E', 'e') where observation_id = $1",
    'the passage of evidence',
  ],
  [
    'an address',
    "update evidence set source_uri = source_uri || '/' where observation_id = $1",
    'the passage of evidence',
  ],
])(
  'a changed byte of %s makes the observation undeliverable, reported and kept, until it is mended',
  async (name, change, reason) => {
    const id = await recordObservation(service, anObservation(`changed ${name}`, 'a'));
    const before = await service.record.getEvidence({ observationId: id });
    await service.owner.query(change, [id]);
    expect((await verifyAll()).unverified.get(id)).toContain(reason);
    expect(await isDelivered(service, id)).toBe(false);
    const { observations } = await service.lookup.getDocuments({ observationIds: [id] });
    expect(observations[0]).toMatchObject({ tombstone: true, version: 2n });
    expect(await service.record.getEvidence({ observationId: id })).toMatchObject({
      deliverable: false,
      unverifiedReason: expect.stringContaining(reason),
      unverifiedAt: expect.anything(),
    });
    expect((await verifyAll()).unverified.has(id)).toBe(true);

    const record = before.record;
    await service.owner.query(
      'update observation set observed_fact = $2, why_it_may_matter = $3, occurred_at = $4 where id = $1',
      [id, record?.observedFact, record?.whyItMayMatter, '2026-01-02T00:00:00Z'],
    );
    await service.owner.query('update evidence set excerpt = $2, source_uri = $3 where observation_id = $1', [
      id,
      record?.evidence[0]?.excerpt,
      record?.evidence[0]?.sourceUri,
    ]);
    expect((await verifyAll()).unverified.has(id)).toBe(false);
    expect(await isDelivered(service, id)).toBe(true);
    const { rows } = await service.owner.query<{ action: string; caller: string }>(
      'select action, caller from audit where observation_id = $1 order by id',
      [id],
    );
    expect(rows).toEqual([
      { action: 'unverify', caller: 'admin' },
      { action: 'verify', caller: 'admin' },
    ]);
  },
);

test('withdrawing the passage that differs leaves the rest of the observation', async () => {
  const [id = 0n] = await recordObservations(service, [aWithdrawable()]);
  await service.owner.query("update evidence set excerpt = 'bad.' where observation_id = $1 and excerpt = 'Bad.'", [
    id,
  ]);
  expect((await verifyAll()).unverified.has(id)).toBe(true);
  const { evidence } = await service.record.getEvidence({ observationId: id });
  const bad = evidence.find((row) => row.evidence?.excerpt === 'bad.');
  await service.record.withdrawEvidence({ observationId: id, evidenceId: bad?.id ?? 0n, reason: 'differs' });
  expect((await verifyAll()).unverified.has(id)).toBe(false);
  expect(await isDelivered(service, id)).toBe(true);
});

function fromRaw(key: string) {
  const raw = { rawRecordHash: hashOf(`raw ${key}`), textHash: hashOf(`text ${key}`), extractorVersion: 'html/1' };
  return inline(key, named('Halden Quarries Ltd.'), {
    evidence: [aPassage(`One of ${key}.`, raw), aPassage(`Two of ${key}.`, raw)],
  });
}

test('evidence from kept raw records is listed with where it was taken from, by source and in pages', async () => {
  const { observationId } = await recordOne(service, 'feed', fromRaw('listed'));
  await recordOne(service, 'other feed', fromRaw('elsewhere'));
  const first = await service.record.listEvidence({ source: 'feed', limit: 1 });
  expect(first.hasMore).toBe(true);
  const rest = await service.record.listEvidence({ source: 'feed', afterId: first.evidence[0]?.id ?? 0n });
  expect(rest.hasMore).toBe(false);
  const all = [...first.evidence, ...rest.evidence];
  expect(all.map((row) => row.evidence?.excerpt)).toEqual(['One of listed.', 'Two of listed.']);
  expect(all[0]).toMatchObject({
    observationId,
    source: 'feed',
    evidence: { rawRecordHash: hashOf('raw listed'), textHash: hashOf('text listed'), extractorVersion: 'html/1' },
  });
  expect((await service.record.listEvidence({})).evidence).toHaveLength(4);
});

test('an excerpt that is no longer in its raw record is not delivered, until it is there again', async () => {
  const { observationId } = await recordOne(service, 'third feed', fromRaw('extracted'));
  const { evidence } = await service.record.listEvidence({ source: 'third feed' });
  const [one, two] = evidence.map((row) => row.id);
  const report = (problem: string) =>
    service.record.recordVerification({
      results: [
        { evidenceId: one ?? 0n, problem: '' },
        { evidenceId: two ?? 0n, problem },
      ],
    });
  expect(await report('')).toMatchObject({ unverifiedIds: [], verifiedIds: [], tx: 0n });
  const failed = await report('the raw record has changed');
  expect(failed).toMatchObject({ unverifiedIds: [observationId], verifiedIds: [] });
  expect(failed.tx).toBeGreaterThan(0n);
  expect(await isDelivered(service, observationId)).toBe(false);
  expect(await report('the raw record has changed')).toMatchObject({ unverifiedIds: [], tx: 0n });
  expect((await verifyAll()).unverified.get(observationId)).toBe(`evidence ${two}: the raw record has changed`);
  expect(await report('')).toMatchObject({ verifiedIds: [observationId] });
  expect(await isDelivered(service, observationId)).toBe(true);
});

test('results that name a row twice, or a problem too long to keep, are refused whole', async () => {
  const results = [{ evidenceId: 1n }, { evidenceId: 1n }];
  await expect(service.record.recordVerification({ results })).rejects.toThrow('twice');
  const problem = 'x'.repeat(501);
  await expect(service.record.recordVerification({ results: [{ evidenceId: 1n, problem }] })).rejects.toThrow(
    'at most',
  );
});
