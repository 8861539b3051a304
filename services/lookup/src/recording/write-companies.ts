import type { Queryable } from '@ces/chassis/postgres/pool';
import { RecordOutcome } from '@ces/proto/ces/lookup/v1/record_pb.ts';
import { appendCompanyChanges } from '../changes/change-feed.ts';
import { claimCompanies, insertCompanies, lockCompanies, renameCompanies } from '../db/company.ts';
import { declareDomains, dropDomains, dropSupport, ensureDomains, supportDomains } from '../db/company-domain.ts';
import { writeFormerNames } from '../db/company-former-name.ts';
import { addIdentifiers } from '../db/company-identifier.ts';
import type { KeyedFormerName } from '../matching/company-facts.ts';
import type { CheckedCompany } from '../validation/check-company.ts';
import type { BatchResults } from './batch-results.ts';
import { splitIntoConflictFreeBatches } from './conflict-free-batches.ts';

type Company = Omit<CheckedCompany, 'formerNames'> & {
  readonly index: number;
  readonly nameKey: string;
  readonly formerNames: readonly KeyedFormerName[];
};
type KnownCompany = Company & { readonly companyId: bigint };
type WrittenCompany = KnownCompany & { readonly created: boolean; readonly shown: boolean };

/**
 * One order of locks avoids deadlocks: resolution (shared), hostnames, source keys, companies,
 * identifiers. Returns the transaction id if readers have to be notified.
 */
export async function writeCompanies(
  client: Queryable,
  source: string,
  records: readonly Company[],
  results: BatchResults,
): Promise<bigint | undefined> {
  await ensureDomains(
    client,
    records.flatMap((record) => record.hostnames),
  );
  const written: WrittenCompany[] = [];
  for (const batch of splitIntoConflictFreeBatches(records))
    written.push(...(await writeDistinctCompanies(client, source, batch)));
  const identified = new Set(await addIdentifiers(client, written.flatMap(identifiersOf)));
  for (const company of written) if (company.created) identified.delete(company.companyId);
  for (const { index, companyId: id, created, shown } of written) {
    if (created) results.set(index, { outcome: RecordOutcome.CREATED, id });
    else results.set(index, { outcome: shown || identified.has(id) ? RecordOutcome.AMENDED : RecordOutcome.SEEN, id });
  }
  const changed = written.filter((company) => company.shown).map((company) => company.companyId);
  return await appendCompanyChanges(client, [...new Set(changed)], results.createdIds());
}

async function writeDistinctCompanies(
  client: Queryable,
  source: string,
  records: readonly Company[],
): Promise<WrittenCompany[]> {
  const keys = records.map((record) => record.key);
  const claimed = await claimCompanies(client, source, keys);
  const fresh = new Set(claimed.map((company) => company.key));
  const before = keys.filter((key) => !fresh.has(key));
  const locked = before.length > 0 ? await lockCompanies(client, source, before) : [];
  const ids = new Map([...claimed, ...locked].map(({ key, companyId }) => [key, companyId]));
  const companies = records.map((record) => ({ ...record, companyId: idOf(ids, record.key) }));
  const known = companies.filter((company) => !fresh.has(company.key));
  await insertCompanies(
    client,
    companies.filter((company) => fresh.has(company.key)),
  );
  const renamed = await renameCompanies(client, known);
  const recalled = await writeFormerNames(
    client,
    companies.flatMap(({ companyId, formerNames }) => formerNames.map((name) => ({ ...name, companyId }))),
  );
  const rehosted = await writeHostnames(client, source, companies, known);
  const changed = new Set([...renamed, ...recalled, ...rehosted]);
  return companies.map((company) => {
    const isNew = fresh.has(company.key);
    return { ...company, created: isNew, shown: isNew || changed.has(company.companyId) };
  });
}

/** The latest record decides; `known` companies existed before. Returns companies that changed. */
async function writeHostnames(
  client: Queryable,
  source: string,
  companies: readonly KnownCompany[],
  known: readonly KnownCompany[],
): Promise<bigint[]> {
  const named = companies.flatMap(({ companyId, hostnames }) => hostnames.map((hostname) => ({ companyId, hostname })));
  const gained = await declareDomains(client, source, named);
  const knownIds = new Set(known.map((company) => company.companyId));
  const lost = await dropDomains(client, source, [...knownIds], named);
  const idsOf = (domains: readonly { id: bigint }[]) => domains.map((domain) => domain.id);
  await supportDomains(client, idsOf(gained.filter(({ companyId }) => knownIds.has(companyId))));
  await dropSupport(client, idsOf(lost));
  return [...gained, ...lost].map((domain) => domain.companyId);
}

function identifiersOf({ companyId, identifiers }: KnownCompany) {
  return identifiers.map((identifier) => ({ ...identifier, companyId }));
}

function idOf(ids: ReadonlyMap<string, bigint>, key: string): bigint {
  const id = ids.get(key);
  if (id === undefined) throw new Error('a company that was just recorded has no id');
  return id;
}
