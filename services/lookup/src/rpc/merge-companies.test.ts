import { afterAll, beforeAll, expect, test } from 'vitest';
import { inline, named, numbered, recordOne } from '../../test-support/inline.ts';
import { type StartedLookup, startLookup } from '../../test-support/started-lookup.ts';

let service: StartedLookup;

beforeAll(async () => {
  service = await startLookup();
});

afterAll(() => service[Symbol.asyncDispose]());

const merge = (companyId: bigint, intoId: bigint) =>
  service.record.mergeCompanies({ companyId, intoId, reason: 'the register says so' });
const split = (companyId: bigint) => service.record.splitCompanies({ companyId, reason: 'two plants' });
const canonicalIdsOf = async (...ids: bigint[]) => (await service.lookup.resolveCompanies({ ids })).survivorIds;

async function company(name: string): Promise<{ id: bigint; observationId: bigint; domain: string }> {
  const domain = `${name.toLowerCase().replaceAll(' ', '-')}.example`;
  const record = inline(`record of ${name}`, named(`${name} Ltd.`, { hostnames: [domain] }), { hostnames: [domain] });
  const { companyId: id, observationId } = await recordOne(service, 's', record);
  return { id, observationId, domain };
}

test('a merge is flat, seen by every answer at once, and undone as a whole', async () => {
  const [a, b, c] = [await company('Harrow Kilns'), await company('Ister Kilns'), await company('Jarrow Kilns')];
  expect(await merge(a.id, b.id)).toMatchObject({ survivorId: b.id, changed: true });
  expect(await merge(b.id, c.id)).toMatchObject({ survivorId: c.id, changed: true });
  expect(await canonicalIdsOf(a.id, b.id, c.id)).toEqual([c.id, c.id, c.id]);
  expect(await merge(a.id, c.id)).toMatchObject({ changed: false, tx: 0n });

  const { outcomes, companies } = await service.lookup.lookUpCompanies({ domains: [a.domain, b.domain] });
  expect(outcomes.map((one) => one.companyId)).toEqual([c.id, c.id]);
  expect(companies).toHaveLength(1);
  expect(companies[0]?.observations).toHaveLength(3);
  const { companies: hydrated } = await service.lookup.hydrate({
    companies: [{ companyId: a.id, observationIds: [a.observationId] }],
  });
  expect(hydrated[0]).toMatchObject({ survivorId: c.id, company: { id: c.id, name: 'Jarrow Kilns Ltd.' } });

  expect(await split(b.id)).toMatchObject({ leftId: c.id, changed: true });
  expect(await canonicalIdsOf(a.id, b.id, c.id)).toEqual([b.id, b.id, c.id]);
  expect(await split(a.id)).toMatchObject({ leftId: b.id, changed: true });
  expect(await canonicalIdsOf(a.id, b.id, c.id)).toEqual([a.id, b.id, c.id]);
  expect(await split(a.id)).toMatchObject({ leftId: a.id, changed: false, tx: 0n });
});

test('documents of the companies and of their observations follow a merge and a split, with growing versions', async () => {
  const [a, b] = [await company('Korvan Kilns'), await company('Lanner Kilns')];
  const read = async () => {
    const request = { observationIds: [a.observationId], companyIds: [a.id, b.id] };
    const { observations, companies } = await service.lookup.getDocuments(request);
    const byId = new Map(companies.map((one) => [one.id, one]));
    return { observation: observations[0], a: byId.get(a.id), b: byId.get(b.id) };
  };
  const before = await read();
  await merge(a.id, b.id);
  const merged = await read();
  expect(merged.observation?.companyId).toBe(b.id);
  expect(merged.b?.domains.map((one) => one.hostname)).toEqual([a.domain, b.domain].toSorted());
  expect(merged.a).toMatchObject({ survivorId: b.id, domains: [] });
  await split(a.id);
  const after = await read();
  expect(after.observation?.companyId).toBe(a.id);
  expect(after.b?.domains.map((one) => one.hostname)).toEqual([b.domain]);
  for (const part of ['observation', 'a', 'b'] as const) {
    expect(merged[part]?.version).toBeGreaterThan(before[part]?.version ?? 0n);
    expect(after[part]?.version).toBeGreaterThan(merged[part]?.version ?? 0n);
  }
});

test('split companies are not merged again by a rule, only by an operator', async () => {
  const recordName = (source: string, name: string, fields = {}) =>
    recordOne(service, source, named(name, { key: `${source} key`, ...fields }));
  const { companyId } = await recordName('p', 'Marrow Kilns Ltd.');
  const second = await recordName('q', 'Marrow Kilns Limited');
  expect(second.companyId).toBe(companyId);
  const { rows } = await service.owner.query<{ id: bigint }>(
    "select company_id as id from company_source_key where source = 'q' and source_key = 'q key'",
  );
  const own = rows[0]?.id ?? 0n;
  await split(own);
  const again = await recordName('q', 'Marrow Kilns Limited', numbered('bn', '998877666'));
  expect(again.companyId).toBe(own);
  await merge(own, companyId);
  const { rows: pairs } = await service.owner.query(
    'select 1 from do_not_merge_pair where $1 in (company_id, other_id)',
    [own],
  );
  expect(pairs).toEqual([]);
  expect((await recordName('q', 'Marrow Kilns Limited', numbered('lei', '5493001KJTIIGC8Y1R12'))).companyId).toBe(
    companyId,
  );
});

test('merges and splits have an audit row with reason and caller', async () => {
  const [a, b] = [await company('Norvan Kilns'), await company('Oakel Kilns')];
  await merge(a.id, b.id);
  await split(a.id);
  const { rows } = await service.owner.query(
    'select action, caller, company_id, other_company_id, reason from audit where company_id = $1 order by id',
    [a.id],
  );
  const row = { caller: 'admin', company_id: a.id, other_company_id: b.id };
  expect(rows).toEqual([
    { ...row, action: 'merge', reason: 'a test' },
    { ...row, action: 'split', reason: 'a test' },
  ]);
});

test('a merge or split of an unknown company, or without a reason, is refused', async () => {
  const { id } = await company('Pellin Kilns');
  await expect(merge(id, 9_000_000n)).rejects.toThrow('No company');
  await expect(split(9_000_000n)).rejects.toThrow('No company');
  await expect(service.record.splitCompanies({ companyId: id, reason: ' ' })).rejects.toThrow('reason must be');
});

test('merges that race in a circle leave one flat group', async () => {
  const [a, b, c] = [await company('Quarrin Kilns'), await company('Ravel Kilns'), await company('Selkirn Kilns')];
  await Promise.all([merge(a.id, b.id), merge(b.id, c.id), merge(c.id, a.id)]);
  const canonicalIds = new Set(await canonicalIdsOf(a.id, b.id, c.id));
  expect(canonicalIds.size).toBe(1);
  expect([a.id, b.id, c.id]).toContain([...canonicalIds][0]);
});
