import { Country } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import type { CompanyRecord } from '@ces/proto/ces/lookup/v1/record_pb.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inline, named, numbered, recordOne } from '../../test-support/inline.ts';
import { aCompany, recordCompanies, untilReadable } from '../../test-support/records.ts';
import { type StartedLookup, startLookup } from '../../test-support/started-lookup.ts';
import { loadResolutionVocabulary } from '../matching/vocabulary.ts';
import { fillNameKeys } from './fill-name-keys.ts';

let service: StartedLookup;

beforeAll(async () => {
  service = await startLookup();
});

afterAll(() => service[Symbol.asyncDispose]());

async function companyOf(source: string, company: CompanyRecord): Promise<bigint> {
  return (await recordOne(service, source, company)).companyId;
}

async function rulesOf(companyId: bigint): Promise<string[]> {
  const { rows } = await service.owner.query<{ rule: string }>(
    'select rule from company_merge where into_id = $1 and undone_at is null order by id',
    [companyId],
  );
  return rows.map((row) => row.rule);
}

test('one registry identifier is one company, however the names are written', async () => {
  const first = await companyOf('s1', named('Kestrel Foundry Inc.', numbered('cik', '0000123450')));
  expect(await companyOf('s2', named('KESTREL FDRY', numbered('cik', '123450')))).toBe(first);
  expect(await companyOf('s2', named('Halden Ltd.', numbered('bn', '123456782RC0001')))).toBe(
    await companyOf('s3', named('9912-3456 Québec inc.', numbered('bn', '123456782'))),
  );
  expect(await rulesOf(first)).toEqual(['identifier']);
});

test('one website is one company when the names can be names of one', async () => {
  const first = await companyOf('s1', named('Torvald Widgets Inc.', { hostnames: ['torvald.example'] }));
  expect(await companyOf('s2', named('Torvald', { hostnames: ['www.torvald.example'] }))).toBe(first);
  expect(await rulesOf(first)).toEqual(['hostname']);
  expect(await companyOf('s2', named('Torvald Canada Ltd.', { hostnames: ['torvald.example'] }))).not.toBe(first);
  expect(await companyOf('s2', named('Quarrin Metals', { hostnames: ['torvald.example'] }))).not.toBe(first);
});

test.each(['boards.greenhouse.io', 'quill.myshopify.com', 'tpsgc-pwgsc.gc.ca', 'linkedin.com'])(
  'the shared host %s identifies no company',
  async (hostname) => {
    const company = (name: string) => named(name, { hostnames: [hostname] });
    const first = await companyOf('s1', company(`Quill Ironworks of ${hostname}`));
    expect(await companyOf('s2', company(`Quill Ironworks near ${hostname}`))).not.toBe(first);
  },
);

test('a legal name is one company within a country, and never across the border', async () => {
  const first = await companyOf('s1', named('Les Aliments Érablière Ltée'));
  expect(await companyOf('s2', named('ALIMENTS ERABLIERE LIMITED'))).toBe(first);
  expect(await companyOf('s3', named('Aliments Erabliere'))).toBe(first);
  expect(await companyOf('s3', named('Aliments Erabliere Inc.'))).not.toBe(first);
  expect(await companyOf('s4', named('Aliments Érablière Ltée', { country: Country.US }))).not.toBe(first);
  expect(await rulesOf(first)).toEqual(['name', 'name']);
});

test.each([
  ['First National Bank'],
  ['City of Springfield'],
  ['Department of Transportation'],
  ['Summit Ltd.'],
  ['ABC Inc.'],
  ['Springfield School District'],
])('the name %s by itself identifies no company', async (name) => {
  const company = named(name, { country: Country.US });
  expect(await companyOf('n1', company)).not.toBe(await companyOf('n2', company));
});

test('companies that share a name or a website and differ by a number of one registry are not merged', async () => {
  const fields = { hostnames: ['dorvic.example'] };
  const first = await companyOf('s1', named('Dorvic Alloys', { ...fields, ...numbered('cik', '77001', fields) }));
  const second = await companyOf('s2', named('Dorvic Alloys', { ...fields, ...numbered('cik', '77002', fields) }));
  expect(second).not.toBe(first);
  expect(await companyOf('s3', named('Dorvic Alloys', { key: 'third' }))).not.toBe(first);
});

test('a name that two companies bear is a third company of its own, not a guess', async () => {
  const one = await companyOf('s1', named('Bexel Turbines', { hostnames: ['bexel-east.example'] }));
  const two = await companyOf('s2', named('Bexel Turbines', { hostnames: ['bexel-west.example'] }));
  const three = await companyOf('s3', named('Bexel Turbines'));
  expect(new Set([one, two, three]).size).toBe(3);
  expect(await companyOf('s3', named('Bexel Turbines'))).toBe(three);
});

test('an imported company is found by records and never merged by imports', async () => {
  const [one = 0n, two = 0n] = await recordCompanies(service, [
    aCompany('imported 1', { name: 'Lorvik Cranes Ltd.', hostnames: ['lorvik.example'] }),
    aCompany('imported 2', { name: 'Lorvik Cranes Ltd.', hostnames: ['lorvik.example'] }),
  ]);
  expect((await service.lookup.resolveCompanies({ ids: [one, two] })).survivorIds).toEqual([one, two]);
  const [lone = 0n] = await recordCompanies(service, [aCompany('imported 3', { name: 'Selkirn Pumps Ltd.' })]);
  expect(await companyOf('s1', named('Selkirn Pumps Limited'))).toBe(lone);
});

test('facts of a later record merge two companies, and every answer follows the canonical company', async () => {
  const byNumber = await companyOf('s1', named('Mistel Optics Inc.', numbered('lei', '529900T8BM49AURSDO55')));
  const before = await recordOne(
    service,
    's2',
    inline('mistel', named('Mistel', { hostnames: ['mistel.example'] }), {
      hostnames: ['mistel.example'],
    }),
  );
  expect(before.companyId).not.toBe(byNumber);
  const { newest } = await service.record.getRecordStatus({});
  const both = { ...numbered('lei', '529900t8bm49aursdo55'), hostnames: ['mistel.example'] };
  expect(await companyOf('s3', named('Mistel Optics', both))).toBe(byNumber);
  expect(await rulesOf(byNumber)).toEqual(['identifier', 'hostname']);

  await untilReadable(service);
  const { changes } = await service.lookup.listChanges({ after: { tx: newest?.tx ?? 0n, seq: newest?.seq ?? 0n } });
  expect(changes.map((change) => change.observationId)).toContain(before.observationId);
  expect(changes.map((change) => change.companyId)).toEqual(expect.arrayContaining([byNumber, before.companyId]));
  const { observations, companies } = await service.lookup.getDocuments({
    observationIds: [before.observationId],
    companyIds: [before.companyId],
  });
  expect(observations[0]).toMatchObject({ companyId: byNumber, version: 2n });
  expect(companies[0]).toMatchObject({ survivorId: byNumber, domains: [] });
  const { outcomes } = await service.lookup.lookUpCompanies({ domains: ['mistel.example'] });
  expect(outcomes[0]?.companyId).toBe(byNumber);
});

test('a company with the same facts again is not resolved again', async () => {
  const company = named('Ostrel Bearings Ltd.', { hostnames: ['ostrel.example'], ...numbered('bn', '111222337') });
  const record = inline('ostrel', company);
  await recordOne(service, 's1', record);
  expect((await recordOne(service, 's1', record)).tx).toBe(0n);
});

test('processes that race over one new company end with one, whatever the order of their records', async () => {
  const processes = [service, await service.startTwin()];
  const names = Array.from({ length: 12 }, (_, n) => `Racing Foundry Number${n}word`);
  const batch = (writer: number) => {
    const order = writer % 4 < 2 ? names : names.toReversed();
    const observations = order.map((name, n) => inline(`race ${writer} ${n}`, named(name)));
    const { record } = processes[writer % 2] ?? service;
    return record.recordEvidence({ source: `racer ${writer}`, observations });
  };
  const answers = await Promise.all(Array.from({ length: 8 }, (_, writer) => batch(writer)));
  const companies = new Set(answers.flatMap(({ observations }) => observations.map((one) => one.companyId)));
  expect(companies.size).toBe(names.length);
  const canonical = await service.owner.query('select 1 from company where survives and name like $1', ['Racing%']);
  expect(canonical.rowCount).toBe(names.length);
});

test('a record supports the hostnames that it names itself, and no others of its company', async () => {
  const company = named('Tamrin Glass Ltd.', { hostnames: ['tamrin.example'] });
  const lookUp = async (domain: string) =>
    (await service.lookup.lookUpCompanies({ domains: [domain] })).outcomes[0]?.companyId;
  const { companyId } = await recordOne(service, 's1', inline('tamrin 1', company));
  expect(await lookUp('tamrin.example')).toBe(0n);
  await recordOne(
    service,
    's1',
    inline('tamrin 2', company, { hostnames: ['tamrin.example', 'www.tamrin-glass.example'] }),
  );
  expect(await lookUp('tamrin.example')).toBe(companyId);
  expect(await lookUp('tamrin-glass.example')).toBe(companyId);
});

test('name keys of older rules are computed again once, and so are former names', async () => {
  const [old = 0n] = await recordCompanies(service, [
    aCompany('renewed', { name: 'Yarrow Looms Inc /NEW/', formerNames: [{ name: 'Zedder Looms Corp/CA' }] }),
  ]);
  await service.owner.query(`update company set name_key = 'yarrow looms inc new' where id = $1`, [old]);
  await service.owner.query(`update company_former_name set name_key = 'zedder looms corp ca' where company_id = $1`, [
    old,
  ]);
  await service.owner.query('delete from name_key_version');
  await fillNameKeys(service.pool, loadResolutionVocabulary(), new AbortController().signal);
  const { rows } = await service.owner.query(
    `select name_key from company where id = $1
     union all select name_key from company_former_name where company_id = $1`,
    [old],
  );
  expect(rows).toEqual([{ name_key: 'yarrow looms' }, { name_key: 'zedder looms' }]);
  await service.owner.query(`update company set name_key = 'left alone' where id = $1`, [old]);
  await fillNameKeys(service.pool, loadResolutionVocabulary(), new AbortController().signal);
  const { rows: kept } = await service.owner.query('select name_key from company where id = $1', [old]);
  expect(kept).toEqual([{ name_key: 'left alone' }]);
});
