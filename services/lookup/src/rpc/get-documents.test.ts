import { Country, Kind } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import type { CompanyDocument, ObservationDocument } from '@ces/proto/ces/lookup/v1/record_pb.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  aCompany,
  anObservation,
  aPassage,
  aProfile,
  at,
  hashOf,
  merge,
  recordCompanies,
  recordCompany,
  recordObservation,
  SOURCE,
  untilReadable,
} from '../../test-support/records.ts';
import { type StartedLookup, startLookup } from '../../test-support/started-lookup.ts';

let service: StartedLookup;

beforeAll(async () => {
  service = await startLookup();
});

afterAll(() => service[Symbol.asyncDispose]());

async function observationDocument(id: bigint): Promise<ObservationDocument> {
  const { observations } = await service.lookup.getDocuments({ observationIds: [id] });
  return observations[0] as ObservationDocument;
}

async function companyDocument(id: bigint): Promise<CompanyDocument> {
  const { companies } = await service.lookup.getDocuments({ companyIds: [id] });
  return companies[0] as CompanyDocument;
}

async function readFromNow() {
  const { newest: after = { tx: 0n, seq: 0n } } = await service.record.getRecordStatus({});
  return async () => {
    await untilReadable(service);
    const { changes } = await service.lookup.listChanges({ after: { tx: after.tx, seq: after.seq } });
    return {
      companies: changes.flatMap((change) => change.companyId || []),
      observations: changes.flatMap((change) => change.observationId || []),
    };
  };
}

test('an observation document carries what an index needs, excerpts newest first', async () => {
  const companyId = await recordCompany(service, 'document');
  const id = await recordObservation(
    service,
    anObservation('document', 'document', {
      kind: Kind.FACILITY_EXPANSION,
      country: Country.US,
      expiresAt: at('2099-01-01T00:00:00Z'),
      origin: 'permits',
      evidence: [aPassage('Older.'), aPassage('Newer.', { observedAt: at('2026-01-05T00:00:00Z') })],
    }),
  );
  expect(await observationDocument(id)).toMatchObject({
    id,
    version: 1n,
    tombstone: false,
    companyId,
    kind: Kind.FACILITY_EXPANSION,
    country: Country.US,
    occurredAt: at('2026-01-02T00:00:00Z'),
    observedAt: at('2026-01-03T00:00:00Z'),
    deliverableUntil: at('2099-01-01T00:00:00Z'),
    observedFact: 'Fact of document.',
    excerpts: ['Newer.', 'Older.'],
    recordedAt: expect.anything(),
    origin: 'permits',
  });
});

test('the version grows with each change; withdrawn, unsupported and unknown observations are tombstones', async () => {
  await recordCompany(service, 'versions');
  const id = await recordObservation(service, anObservation('versions', 'versions'));
  const versions = [await observationDocument(id)];
  const row = (await service.record.getEvidence({ observationId: id })).evidence[0]?.id ?? 0n;
  const steps = [
    () => service.record.withdrawEvidence({ observationId: id, reason: 'test' }),
    () => service.record.restoreEvidence({ observationId: id }),
    () => service.record.withdrawEvidence({ observationId: id, evidenceId: row, reason: 'test' }),
    () =>
      recordObservation(
        service,
        anObservation('versions', 'versions', { evidence: [aPassage('New.')], contentHash: hashOf('v') }),
      ),
  ];
  for (const step of steps) {
    const changes = await readFromNow();
    await step();
    expect((await changes()).observations).toEqual([id]);
    versions.push(await observationDocument(id));
  }
  expect(versions.map((document) => document.tombstone)).toEqual([false, true, false, true, false]);
  expect(versions.map((document) => document.version)).toEqual([1n, 2n, 3n, 4n, 5n]);
  expect(versions[1]).toMatchObject({ observedFact: '', excerpts: [] });
  expect(versions[4]?.excerpts).toEqual(['New.']);
  expect(await observationDocument(9_000_000n)).toMatchObject({ tombstone: true });
  expect(await companyDocument(9_000_000n)).toMatchObject({ tombstone: true });
});

test('a company document carries its name, its profiles and its domains with the end of their support', async () => {
  const id = await recordCompany(service, 'profiled', 'profiled.example');
  await recordObservation(
    service,
    aProfile('profile one', 'profiled', {
      expiresAt: at('2099-02-01T00:00:00Z'),
      evidence: [aPassage('Makes bolts.')],
    }),
  );
  await recordObservation(
    service,
    anObservation('profiled expired', 'profiled', { expiresAt: at('2020-01-01T00:00:00Z') }),
  );
  expect(await companyDocument(id)).toMatchObject({
    name: 'Company profiled',
    country: Country.CA,
    survivorId: id,
    domains: [{ hostname: 'profiled.example', supportedUntil: at('2099-02-01T00:00:00Z') }],
    profile: 'Fact of profile one.\nMakes bolts.',
  });
  await recordObservation(service, aProfile('profile two', 'profiled'));
  const document = await companyDocument(id);
  expect(document.profile).toBe('Fact of profile one.\nMakes bolts.\n\nFact of profile two.\nExcerpt of profile two.');
  expect(document.domains).toMatchObject([{ hostname: 'profiled.example' }]);
  expect(document.domains[0]?.supportedUntil).toBeUndefined();
});

test('a company changes with its observations where its document shows them, and with its own record', async () => {
  const shown = await recordCompany(service, 'shown', 'shown.example');
  const bare = await recordCompany(service, 'bare');
  const step = async (work: () => Promise<unknown>) => {
    const [before, changes] = [await companyDocument(shown), await readFromNow()];
    await work();
    const { companies } = await changes();
    const after = await companyDocument(shown);
    expect(after.version > before.version).toBe(companies.includes(shown));
    return companies;
  };
  let observationId = 0n;
  expect(
    await step(async () => {
      observationId = await recordObservation(service, anObservation('shown', 'shown'));
    }),
  ).toEqual([shown]);
  expect(await step(() => service.record.withdrawEvidence({ observationId, reason: 'test' }))).toEqual([shown]);
  expect((await companyDocument(shown)).domains).toEqual([]);
  expect(await step(() => service.record.restoreEvidence({ observationId }))).toEqual([shown]);
  expect(await step(() => recordObservation(service, anObservation('bare', 'bare')))).toEqual([]);
  expect(await step(() => recordObservation(service, aProfile('bare profile', 'bare')))).toEqual([bare]);
  expect(await step(() => recordCompany(service, 'shown'))).toEqual([shown]);
  expect(await step(() => recordCompanies(service, [aCompany('bare', { name: 'Bare no more' })]))).toEqual([bare]);
  expect(await step(() => recordCompanies(service, [aCompany('bare', { name: 'Bare no more' })]))).toEqual([]);
});

test('the document of a canonical company covers those merged into it, and their changes are its own', async () => {
  const old = await recordCompany(service, 'old', 'old.example');
  const canonical = await recordCompany(service, 'canonical');
  const id = await recordObservation(service, aProfile('old profile', 'old'));
  await merge(service, old, canonical);
  expect(await companyDocument(canonical)).toMatchObject({
    domains: [{ hostname: 'old.example' }],
    profile: 'Fact of old profile.\nExcerpt of old profile.',
  });
  expect(await companyDocument(old)).toMatchObject({ survivorId: canonical, domains: [], profile: '' });
  expect(await observationDocument(id)).toMatchObject({ companyId: canonical });
  const changes = await readFromNow();
  await service.record.withdrawEvidence({ observationId: id, reason: 'test' });
  expect(await changes()).toEqual({ companies: [canonical], observations: [id] });
});

test('a new company is named once and in its first version, also when the call that made it amends it', async () => {
  const changes = await readFromNow();
  const [id = 0n, again] = await recordCompanies(service, [
    aCompany('made', { hostnames: ['made.example'] }),
    aCompany('made', { name: 'Made anew', hostnames: ['made.example', 'anew.example'] }),
  ]);
  expect(again).toBe(id);
  expect((await changes()).companies).toEqual([id]);
  expect(await companyDocument(id)).toMatchObject({ version: 1n, name: 'Made anew' });
  await recordObservation(service, anObservation('made', 'made'));
  const { version, domains } = await companyDocument(id);
  expect({ version, hostnames: domains.map(({ hostname }) => hostname) }).toEqual({
    version: 2n,
    hostnames: ['anew.example', 'made.example'],
  });
  await recordCompanies(service, [aCompany('made', { name: 'Made anew', hostnames: ['anew.example'] })]);
  expect(await companyDocument(id)).toMatchObject({ version: 3n, domains: [{ hostname: 'anew.example' }] });
});

test('a new observation changes the document of its company where a domain is supported for longer by it', async () => {
  const company = await recordCompany(service, 'lasting', 'lasting.example', 'lasting-too.example');
  const expiring = async (key: string, year?: number) => {
    const changes = await readFromNow();
    const expiresAt = year === undefined ? {} : { expiresAt: at(`${year}-01-01T00:00:00Z`) };
    const id = await recordObservation(service, anObservation(`lasting ${key}`, 'lasting', expiresAt));
    const { companies, observations } = await changes();
    expect(observations).toEqual([id]);
    return { id, changed: companies.includes(company), until: await supportedUntil() };
  };
  const supportedUntil = async () =>
    (await companyDocument(company)).domains.map((domain) => domain.supportedUntil ?? 'for ever');
  const twice = (value: unknown) => [value, value];
  const year = (n: number) => twice(at(`${n}-01-01T00:00:00Z`));
  expect(await expiring('first', 2098)).toMatchObject({ changed: true, until: year(2098) });
  expect(await expiring('shorter', 2097)).toMatchObject({ changed: false, until: year(2098) });
  expect(await expiring('as long', 2098)).toMatchObject({ changed: false, until: year(2098) });
  expect(await expiring('longer', 2099)).toMatchObject({ changed: true, until: year(2099) });
  const one = await expiring('for ever');
  expect(one).toMatchObject({ changed: true, until: twice('for ever') });
  const other = await expiring('for ever too');
  expect(other).toMatchObject({ changed: false, until: twice('for ever') });

  const withdraw = async (observationId: bigint) => {
    const changes = await readFromNow();
    await service.record.withdrawEvidence({ observationId, reason: 'test' });
    return { companies: (await changes()).companies, until: await supportedUntil() };
  };
  expect(await withdraw(one.id)).toEqual({ companies: [company], until: twice('for ever') });
  expect(await withdraw(other.id)).toEqual({ companies: [company], until: year(2099) });
  expect(await expiring('after a withdrawal')).toMatchObject({ changed: true, until: twice('for ever') });
});

test('a reader of a company has its domains when the feed names it, whatever is withdrawn while others record', async () => {
  const company = await recordCompany(service, 'contended', 'contended.example');
  let { newest: position = { tx: 0n, seq: 0n } } = await service.record.getRecordStatus({});
  let kept = await companyDocument(company);
  const follow = async () => {
    const { changes } = await service.lookup.listChanges({ after: { tx: position.tx, seq: position.seq } });
    position = changes.at(-1) ?? position;
    if (changes.some((change) => change.companyId === company)) kept = await companyDocument(company);
  };
  const record = (key: string) => recordObservation(service, anObservation(`contended ${key}`, 'contended'));
  let last = await record('0');
  for (let round = 1; round <= 12; round += 1) {
    const [next] = await Promise.all([
      record(`${round}`),
      service.record.withdrawEvidence({ observationId: last, reason: 'test' }),
      follow(),
    ]);
    last = next;
    await untilReadable(service);
    await follow();
    expect(kept).toEqual(await companyDocument(company));
    expect(kept.domains.map((domain) => domain.hostname)).toEqual(['contended.example']);
  }
});

test('versions of a company grow without loss while many record about it', async () => {
  const id = await recordCompany(service, 'busy', 'busy.example');
  const before = (await companyDocument(id)).version;
  const changes = await readFromNow();
  const batch = (n: number) =>
    service.record.recordEvidence({ source: SOURCE, observations: [aProfile(`busy ${n}`, 'busy')] });
  await Promise.all(Array.from({ length: 12 }, (_, n) => batch(n)));
  expect((await companyDocument(id)).version).toBe(before + 12n);
  expect((await changes()).companies).toHaveLength(12);
});
