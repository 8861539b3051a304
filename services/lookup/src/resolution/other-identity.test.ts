import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CompanyFields, inline, named, numbered, recordOne } from '../../test-support/inline.ts';
import { at } from '../../test-support/records.ts';
import { type StartedLookup, startLookup } from '../../test-support/started-lookup.ts';

let service: StartedLookup;

beforeAll(async () => {
  service = await startLookup();
});

afterAll(() => service[Symbol.asyncDispose]());

type Company = ReturnType<typeof named>;

async function companyOf(source: string, company: Company, occurredAt?: string): Promise<bigint> {
  const key = `${source} ${company.key} ${occurredAt}`;
  const record = inline(key, company, occurredAt === undefined ? {} : { occurredAt: at(occurredAt) });
  return (await recordOne(service, source, record)).companyId;
}

async function rulesOf(companyId: bigint): Promise<string[]> {
  const { rows } = await service.owner.query<{ rule: string }>(
    'select rule from company_merge where into_id = $1 and undone_at is null order by id',
    [companyId],
  );
  return rows.map((row) => row.rule);
}

function former(name: string, since?: string, until?: string): Pick<CompanyFields, 'formerNames'> {
  return { formerNames: [{ name, ...(since && { since: at(since) }), ...(until && { until: at(until) }) }] };
}

describe('numbers', () => {
  test.each([
    ['lei', '5493001KJTIIGC8Y1R12'],
    ['uei', 'ZMXAHH8M8VL8'],
    ['register', 'RA000602:2758229'],
    ['opencorporates', 'us_de/2758229'],
    ['spglobal', '4004205'],
  ])('one %s is one company, whatever its names', async (scheme, value) => {
    const first = await companyOf('s1', named(`Verrin ${scheme} Mills Inc.`, numbered(scheme, value)));
    expect(await companyOf('s2', named(`Tolm ${scheme} Yarns Inc.`, numbered(scheme, value)))).toBe(first);
    expect(await rulesOf(first)).toEqual(['identifier']);
  });

  test.each([
    ['ein', '47-1234567'],
    ['duns', '060704781'],
    ['cage', '1ABC5'],
    ['isin', 'US0378331005'],
    ['bic', 'DEUTDEFF'],
  ])('one %s is one company only when the names can be names of one', async (scheme, value) => {
    const first = await companyOf('s1', named(`Quorn ${scheme} Boilers Manufacturing Inc.`, numbered(scheme, value)));
    const short = named(`Quorn ${scheme} Boilers`, numbered(scheme, value));
    expect(await companyOf('s2', short)).toBe(first);
    expect(await rulesOf(first)).toEqual(['shared_identifier']);
    const family = ['2019-1', '2019-2'].map((series) =>
      named(`Ordal ${scheme} Owner Trust ${series}`, numbered(scheme, value)),
    );
    const [one, other] = await Promise.all(family.map((company) => companyOf('s3', company)));
    expect(new Set([first, one, other]).size).toBe(3);
    const { rows } = await service.owner.query('select 1 from company_shared_identifier where scheme = $1', [scheme]);
    expect(rows).toHaveLength(4);
  });

  test.each([
    ['lei', '529900T8BM49AURSDO55', 'WHKXQACZ14C5XRO8LW03'],
    ['cik', '77001', '77002'],
    ['bn', '111222337', '998877666'],
    ['register', 'RA000602:1', 'RA000602:2'],
  ])(
    'two numbers of the scheme %s are two companies, though they share a name, a website and an EIN',
    async (scheme, a, b) => {
      const company = (value: string) =>
        named(`Halvern ${scheme} Foundry Inc.`, {
          hostnames: [`halvern-${scheme}.example`],
          identifiers: [
            { scheme, value },
            { scheme: 'ein', value: '471111117' },
          ],
        });
      expect(await companyOf('s1', company(a))).not.toBe(await companyOf('s2', company(b)));
    },
  );

  test('numbers of two registers are no contradiction, and two UEIs only where nothing but a name joins', async () => {
    const first = await companyOf('s1', named('Pellow Marine Inc.', numbered('register', 'RA000602:77')));
    expect(await companyOf('s2', named('Pellow Marine Inc.', numbered('register', 'RA000598:78')))).toBe(first);
    const site = (uei: string, ...hostnames: string[]) =>
      named('Ostler Rail Inc.', numbered('uei', uei, { hostnames }));
    const one = await companyOf('s1', site('ABCDEFGHJKL1', 'ostler.example'));
    expect(await companyOf('s2', site('ABCDEFGHJKL2'))).not.toBe(one);
    expect(await companyOf('s3', site('ABCDEFGHJKL3', 'ostler.example'))).toBe(one);
  });

  test('one record that knows two numbers makes one company of those that know one each, and a look-up finds it by either website', async () => {
    const lei = { scheme: 'lei', value: '54930000000000000002' };
    const byCik = named('Corvane Materials Inc.', numbered('cik', '880011', { hostnames: ['corvane.example'] }));
    const byLei = named('CORVANE MATERIALS GROUP', { identifiers: [lei], hostnames: ['corvane-group.example'] });
    const support = (key: string, company: Company) => inline(key, company, { hostnames: company.hostnames });
    const { companyId: first } = await recordOne(service, 's1', support('by cik', byCik));
    expect((await recordOne(service, 's2', support('by lei', byLei))).companyId).not.toBe(first);
    await companyOf('s3', named('Corvane', { identifiers: [...(byCik.identifiers ?? []), lei] }));
    const { outcomes } = await service.lookup.lookUpCompanies({
      domains: ['corvane.example', 'corvane-group.example'],
    });
    expect(outcomes.map(({ companyId }) => companyId)).toEqual([first, first]);
  });
});

describe('names and websites', () => {
  test('a bare word is only the company whose website it names', async () => {
    const site = (name: string, ...hostnames: string[]) => named(name, { hostnames });
    const first = await companyOf('s1', site('Drellin Corporation', 'drellin.example'));
    expect(await companyOf('s2', named('Drellin'))).toBe(first);
    const other = await companyOf('s1', site('Emberly Corporation', 'emberlycorp.example'));
    expect(await companyOf('s2', named('Emberly'))).not.toBe(other);
  });

  test('the name of its website identifies a company like its full name, and never a part of it', async () => {
    const site = (name: string) => named(name, { hostnames: ['gorvan.example'] });
    const first = await companyOf('s1', site('Gorvan Financial Group, Inc.'));
    expect(await companyOf('s2', site('Gorvan'))).toBe(first);
    expect(await companyOf('s2', site('Gorvan Credit Inc.'))).not.toBe(first);
    const initials = { hostnames: ['akmg.example'] };
    const full = await companyOf('s1', named('American Kettle Makers Group, Inc.', initials));
    expect(await companyOf('s2', named('AKMG', initials))).toBe(full);
  });
});

describe('former names', () => {
  test('a record that uses an old name within its dates is of the renamed company, whichever comes first', async () => {
    const renamed = (name: string, old: string, cik: string) =>
      named(name, { ...numbered('cik', cik), ...former(old, '2001-05-01T00:00:00Z', '2021-10-28T00:00:00Z') });
    const first = await companyOf('s1', renamed('Zendrell Platforms Inc.', 'Facetta Works Inc.', '5001'));
    expect(await companyOf('s2', named('FACETTA WORKS, INC.'), '2012-05-18T00:00:00Z')).toBe(first);
    expect(await rulesOf(first)).toEqual(['former_name']);
    const early = await companyOf('s2', named('Gribald Works Inc.'), '2012-05-18T00:00:00Z');
    expect(await companyOf('s1', renamed('Yorrin Platforms Inc.', 'Gribald Works Inc.', '5002'))).toBe(early);
    expect(await rulesOf(early)).toEqual(['former_name']);
  });

  test('a record from after a renaming is of another company, and so is one that a register knows under the name', async () => {
    const fields = { ...numbered('cik', '5003'), ...former('Trasken Oil Inc.', undefined, '2015-01-01T00:00:00Z') };
    const first = await companyOf('s1', named('Velder Energy Inc.', fields));
    expect(await companyOf('s2', named('Trasken Oil Inc.'), '2019-01-01T00:00:00Z')).not.toBe(first);
    const again = { ...numbered('cik', '5004'), ...former('Umbrel Oil Inc.', undefined, '2015-01-01T00:00:00Z') };
    const late = await companyOf('s2', named('Umbrel Oil Inc.'), '2019-01-01T00:00:00Z');
    expect(await companyOf('s1', named('Wendle Energy Inc.', again))).not.toBe(late);
  });

  test('a name that another company has now is that company, and a former name of two is neither', async () => {
    const bore = (cik: string, old: string) => ({ ...numbered('cik', cik), ...former(old) });
    const first = await companyOf('s1', named('Farlow Systems Inc.', bore('5005', 'Ostrander Labs Inc.')));
    const bearer = await companyOf('s1', named('Ostrander Labs Inc.', numbered('cik', '5006')));
    expect(bearer).not.toBe(first);
    expect(await companyOf('s2', named('Ostrander Labs'), '2012-05-18T00:00:00Z')).toBe(bearer);
    const one = await companyOf('s1', named('Harrowgate Metals Inc.', bore('5007', 'Twinfold Metals Inc.')));
    const two = await companyOf('s1', named('Inverdale Metals Inc.', bore('5008', 'Twinfold Metals Inc.')));
    expect([one, two]).not.toContain(await companyOf('s2', named('Twinfold Metals Inc.')));
  });

  test('companies that were split stay apart, whatever names are learned', async () => {
    const first = await companyOf(
      's1',
      named('Kestor Platforms Inc.', { ...numbered('cik', '5009'), ...former('Luden Works Inc.') }),
    );
    const record = inline('luden', named('Luden Works Inc.'));
    expect((await recordOne(service, 's2', record)).companyId).toBe(first);
    const { rows } = await service.owner.query<{ id: bigint }>('select id from company where name = $1', [
      'Luden Works Inc.',
    ]);
    await service.record.splitCompanies({ companyId: rows[0]?.id ?? 0n, reason: 'two companies' });
    const more = {
      ...numbered('cik', '5009'),
      formerNames: [{ name: 'Luden Works Inc.' }, { name: 'Luden Mills Inc.' }],
    };
    await companyOf('s1', named('Kestor Platforms Inc.', more));
    expect(
      (await recordOne(service, 's2', inline('luden 2', named('Luden Works Inc.', { hostnames: ['luden.example'] }))))
        .companyId,
    ).toBe(rows[0]?.id);
  });

  test('a company that its source renames is found by the name before, and its document carries both', async () => {
    const company = (name: string) => named(name, { key: 'cik:5010', ...numbered('cik', '5010') });
    const first = await companyOf('s1', company('Mirrel Textiles Inc.'));
    await companyOf('s1', company('MIRREL TEXTILES, INC.'));
    expect(await companyOf('s1', company('Novell Fabrics Inc.'))).toBe(first);
    expect(await companyOf('s2', named('Mirrel Textiles Inc.'), '2012-05-18T00:00:00Z')).toBe(first);
    const { companies } = await service.lookup.getDocuments({ companyIds: [first] });
    expect(companies[0]).toMatchObject({
      name: 'Novell Fabrics Inc.',
      otherNames: ['MIRREL TEXTILES, INC.', 'Mirrel Textiles Inc.'],
    });
  });

  test.each([
    [{ formerNames: [{ name: '' }] }, 'a former name is empty'],
    [{ formerNames: Array(51).fill({ name: 'Old' }) }, 'more than 50 former names'],
    [former('Old', '2020-01-01T00:00:00Z', '2019-01-01T00:00:00Z'), 'a former name ends before it begins'],
  ])('a company with bad former names is refused: %#', async (fields, reason) => {
    await expect(companyOf('s1', named('Bad Former Names Inc.', fields))).rejects.toThrow(reason);
  });
});
