import { Country } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import { RecordOutcome } from '@ces/proto/ces/lookup/v1/record_pb.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aCompany, anObservation, recordCompanies, recordObservations, SOURCE } from '../../test-support/records.ts';
import { type StartedLookup, startLookup } from '../../test-support/started-lookup.ts';

let service: StartedLookup;

beforeAll(async () => {
  service = await startLookup();
});

afterAll(() => service[Symbol.asyncDispose]());

function send(...companies: ReturnType<typeof aCompany>[]) {
  return service.record.recordCompanies({ source: SOURCE, companies });
}

async function domainsOf(companyId: bigint): Promise<string[]> {
  const { companies } = await service.lookup.lookUpCompanies({ ids: [companyId] });
  return companies.flatMap((company) => company.domains.map((domain) => domain.hostname));
}

test('a company is created once, seen when it comes unchanged, amended when it changed', async () => {
  const created = await send(aCompany('a'));
  expect(created.companies).toMatchObject([{ outcome: RecordOutcome.CREATED }]);
  expect(created.tx).toBeGreaterThan(0n);
  const companyId = created.companies[0]?.companyId;
  const seen = await send(aCompany('a'));
  expect(seen).toMatchObject({ companies: [{ outcome: RecordOutcome.SEEN, companyId }], tx: 0n });
  const amended = await send(aCompany('a', { name: 'Another name', country: Country.US }));
  expect(amended.companies).toMatchObject([{ outcome: RecordOutcome.AMENDED, companyId }]);
  const identified = await send(
    aCompany('a', { name: 'Another name', country: Country.US, identifiers: [{ scheme: 'bn', value: '123456782' }] }),
  );
  expect(identified).toMatchObject({ companies: [{ outcome: RecordOutcome.AMENDED, companyId }], tx: 0n });
});

test('the same source key of another source is another company', async () => {
  const [here] = await recordCompanies(service, [aCompany('shared')]);
  const [there] = await recordCompanies(service, [aCompany('shared')], 'another-set');
  expect(here).not.toEqual(there);
});

test('hostnames are normalised and lose one leading www.', async () => {
  const hostnames = [' WWW.Hosts.example. ', 'www.www.hosts.example', 'hosts.example', 'bücher.example', 'www.example'];
  const [id = 0n] = await recordCompanies(service, [aCompany('hosts', { hostnames })]);
  await recordObservations(service, [anObservation('hosts', 'hosts')]);
  expect(await domainsOf(id)).toEqual(['hosts.example', 'www.example', 'www.hosts.example', 'xn--bcher-kva.example']);
});

test('the hostnames of a company are supported by all its observations of that source, whichever come first', async () => {
  const [id = 0n] = await recordCompanies(service, [aCompany('order')]);
  await recordObservations(service, [anObservation('order before', 'order')]);
  await recordCompanies(service, [aCompany('order', { hostnames: ['order.example'] })]);
  await recordObservations(service, [anObservation('order after', 'order')]);
  const { companies } = await service.lookup.lookUpCompanies({ ids: [id] });
  expect(companies[0]?.observations).toHaveLength(2);
  const { rows } = await service.owner.query(
    `select count(*) as supports from domain_support s join company_domain cd on cd.id = s.company_domain_id
      where cd.company_id = $1`,
    [id],
  );
  expect(rows).toEqual([{ supports: 2n }]);
});

test('a hostname that the source no longer names loses its support, and gets it back when it is named again', async () => {
  const [id = 0n] = await recordCompanies(service, [aCompany('moved', { hostnames: ['old.example'] })]);
  await recordObservations(service, [anObservation('moved', 'moved')]);
  const moved = await send(aCompany('moved', { hostnames: ['new.example'] }));
  expect(moved.companies).toMatchObject([{ outcome: RecordOutcome.AMENDED }]);
  expect(await domainsOf(id)).toEqual(['new.example']);
  await send(aCompany('moved', { hostnames: ['new.example', 'old.example'] }));
  expect(await domainsOf(id)).toEqual(['new.example', 'old.example']);
});

test('the same company twice in one batch is one company, the last record wins', async () => {
  const { companies } = await send(
    aCompany('twice', { hostnames: ['first.example'] }),
    aCompany('twice', { hostnames: ['first.example'] }),
    aCompany('twice', { name: 'Last', hostnames: ['last.example'] }),
  );
  expect(companies.map((one) => one.outcome)).toEqual([
    RecordOutcome.CREATED,
    RecordOutcome.SEEN,
    RecordOutcome.AMENDED,
  ]);
  expect(new Set(companies.map((one) => one.companyId)).size).toBe(1);
  await recordObservations(service, [anObservation('twice', 'twice')]);
  expect(await domainsOf(companies[0]?.companyId ?? 0n)).toEqual(['last.example']);
});

test('an identifier stays with the company that had it first', async () => {
  const identifiers = [{ scheme: 'lei', value: '529900T8BM49AURSDO55' }];
  const [first] = await recordCompanies(service, [aCompany('lei first', { identifiers })]);
  await recordCompanies(service, [aCompany('lei second', { identifiers })]);
  const { rows } = await service.owner.query(`select company_id from company_identifier where scheme = 'lei'`);
  expect(rows).toEqual([{ company_id: first }]);
});

test('a number of every scheme is kept as it is compared, and one that fails its form is left out of a company that is kept', async () => {
  const good = Object.entries({
    cik: ['0000777001', '777001'],
    lei: ['5493001KJTIIGC8Y1R12', '5493001KJTIIGC8Y1R12'],
    uei: ['zmxahh8m8vl8', 'ZMXAHH8M8VL8'],
    bn: ['111222337 RC0001', '111222337'],
    ein: ['47-1234567', '471234567'],
    duns: ['06-070-4781', '060704781'],
    cage: ['1abc5', '1ABC5'],
    isin: ['us0378331005', 'US0378331005'],
    bic: ['DEUTDEFFXXX', 'DEUTDEFF'],
    register: ['RA000602:2758229', 'RA000602:2758229'],
    opencorporates: ['us_de/2758229', 'US_DE/2758229'],
    spglobal: ['24937', '24937'],
  });
  const bad = ['bn 888791000', 'duns 0', 'lei 5493001KJTIIGC8Y1R13', 'ein 00-1234567', 'isin US0378331006'];
  const written = [...good.map(([scheme, [value = '']]) => `${scheme} ${value}`), ...bad];
  const identifiers = written.map((text) => ({ scheme: text.replace(/ .*/, ''), value: text.replace(/^\S+ /, '') }));
  const [id = 0n] = await recordCompanies(service, [aCompany('numbered', { identifiers })]);
  const { rows } = await service.owner.query('select scheme, value from company_identifier where company_id = $1', [
    id,
  ]);
  const kept = rows.map(({ scheme, value }) => `${scheme} ${value}`);
  expect(kept.toSorted()).toEqual(good.map(([scheme, [, value]]) => `${scheme} ${value}`).toSorted());
});

test.each([
  ['key', { key: 'x'.repeat(513) }, 'key is longer than 512 characters'],
  ['name', { name: '' }, 'name is empty'],
  ['country', { country: Country.UNSPECIFIED }, 'country is neither CA nor US'],
  ['hostname', { hostnames: ['https://a.example/'] }, 'a hostname is none'],
  ['number of hostnames', { hostnames: Array.from({ length: 101 }, (_, n) => `h${n}.example`) }, 'more than 100'],
  ['scheme', { identifiers: [{ scheme: 'ticker', value: 'ABC' }] }, 'an identifier scheme is not'],
  ['identifier', { identifiers: [{ scheme: 'isin', value: 'x'.repeat(65) }] }, 'an identifier is longer than 64'],
  ['number of identifiers', { identifiers: Array(51).fill({ scheme: 'cik', value: '1' }) }, 'more than 50'],
])('a company with a bad %s is refused by itself, with its reason', async (name, fields, reason) => {
  const { companies } = await send(
    aCompany(`${name} before`),
    aCompany(`${name} bad`, fields),
    aCompany(`${name} after`),
  );
  const { CREATED, REFUSED } = RecordOutcome;
  expect(companies.map((one) => one.outcome)).toEqual([CREATED, REFUSED, CREATED]);
  expect(companies[1]).toMatchObject({ companyId: 0n, reason: expect.stringContaining(reason) });
});

test('batches that race over the same companies, hostnames and identifiers end with the same rows', async () => {
  const companies = Array.from({ length: 40 }, (_, n) =>
    aCompany(`race ${n}`, {
      hostnames: [`race-${n % 7}.example`, `race-${n}.example`],
      identifiers: [{ scheme: 'cik', value: `${900 + (n % 5)}` }],
    }),
  );
  const batches = [companies, companies.toReversed(), companies, companies.toReversed(), companies];
  const observations = companies.map(({ key }) => anObservation(`${key} seen`, key));
  await recordCompanies(service, companies.slice(0, 20));
  const known = service.record.recordEvidence({ source: SOURCE, observations: observations.slice(0, 20) });
  const answers = await Promise.all(batches.map((batch) => send(...batch)));
  await known;
  await recordObservations(service, observations);
  const bySourceKey = answers.map(({ companies: results }, n) =>
    Object.fromEntries(results.map((result, index) => [batches[n]?.[index]?.key, result.companyId])),
  );
  for (const other of bySourceKey) expect(other).toEqual(bySourceKey[0]);
  const { rows } = await service.owner.query(
    `select count(*) as missing
       from company_domain cd join observation o on o.company_id = cd.company_id and o.source = cd.source
      where not exists (select 1 from domain_support s where s.company_domain_id = cd.id and s.observation_id = o.id)
        and cd.declared`,
  );
  expect(rows).toEqual([{ missing: 0n }]);
});
