import type { Queryable } from '@ces/chassis/postgres/pool';
import { appendCompanyChanges, appendMovedObservations } from '../changes/change-feed.ts';
import { allocateCompanyIds, insertCompanies, insertSourceKeys, renameCompanies } from '../db/company.ts';
import { declareDomains, ensureDomains } from '../db/company-domain.ts';
import { writeFormerNames } from '../db/company-former-name.ts';
import { addIdentifiers } from '../db/company-identifier.ts';
import { insertMerges, moveCompanies } from '../db/company-merge.ts';
import { type RecordedCompany, readCompaniesBySourceKey } from '../db/resolution-candidate.ts';
import { type CompanyFacts, type FormerName, factsOf, keyedFormerNames } from '../matching/company-facts.ts';
import type { CompanyGroups } from '../matching/company-groups.ts';
import { keyOfName } from '../matching/legal-name.ts';
import type { ResolutionVocabulary } from '../matching/vocabulary.ts';
import type { CheckedCompany } from '../validation/check-company.ts';
import { readRecordedGroups } from './recorded-groups.ts';

interface ResolvedCompany {
  readonly companyId: bigint;
  readonly canonicalId: bigint;
}

export interface Resolution {
  readonly byCompanyKey: ReadonlyMap<string, ResolvedCompany>;
  readonly tx: bigint | undefined;
}

/** `usedAt`: latest event; undefined if none has a date. */
export interface NamedCompany extends CheckedCompany {
  readonly usedAt: Date | undefined;
}

interface IncomingCompany {
  readonly company: CheckedCompany;
  readonly companyId: bigint;
  readonly facts: CompanyFacts;
}

/**
 * The caller holds the resolution lock exclusively. Each (source, key) keeps its own company, so
 * that every merge can be undone.
 */
export async function resolveNamedCompanies(
  client: Queryable,
  vocabulary: ResolutionVocabulary,
  source: string,
  companies: readonly NamedCompany[],
): Promise<Resolution> {
  const sourceKeys = [...new Set(companies.map((company) => company.key))];
  const recorded = await readCompaniesBySourceKey(client, source, sourceKeys);
  const known = new Map(recorded.map((company) => [company.key, company]));
  const changed = distinct(companies).filter((company) => hasNewFacts(company, known.get(company.key)));
  if (changed.length === 0) return { byCompanyKey: known, tx: undefined };
  const fresh = [...new Set(changed.map((company) => company.key))].filter((key) => !known.has(key));
  const ids = new Map([...known].map(([key, company]) => [key, company.companyId]));
  for (const [index, id] of (await allocateCompanyIds(client, fresh.length)).entries()) ids.set(fresh[index] ?? '', id);
  const incoming = changed.map((company) => ({
    company,
    companyId: ids.get(company.key) ?? 0n,
    facts: factsOf(vocabulary, company),
  }));
  const groups = await groupIncoming(client, vocabulary, incoming);
  const tx = await writeIncoming(client, vocabulary, source, { incoming, groups, fresh: new Set(fresh) });
  const resolved = [...ids].map(([key, companyId]): [string, ResolvedCompany] => {
    const before = known.get(key);
    const canonicalId = groups.canonicalIdOf(companyId);
    return [key, { companyId, canonicalId: canonicalId === companyId && before ? before.canonicalId : canonicalId }];
  });
  return { byCompanyKey: new Map(resolved), tx };
}

async function groupIncoming(
  client: Queryable,
  vocabulary: ResolutionVocabulary,
  incoming: readonly IncomingCompany[],
): Promise<CompanyGroups> {
  const copyGroups = await readRecordedGroups(
    client,
    vocabulary,
    incoming.map((one) => one.facts),
    incoming.map((one) => one.companyId),
  );
  const groups = copyGroups();
  for (const { companyId, facts } of incoming) groups.add(companyId, facts);
  return groups;
}

async function writeIncoming(
  client: Queryable,
  vocabulary: ResolutionVocabulary,
  source: string,
  {
    incoming,
    groups,
    fresh,
  }: { incoming: readonly IncomingCompany[]; groups: CompanyGroups; fresh: ReadonlySet<string> },
): Promise<bigint | undefined> {
  const latest = [...new Map(incoming.map((one) => [one.company.key, one])).values()].map(({ company, companyId }) => ({
    key: company.key,
    companyId,
    name: company.name,
    country: company.country,
    nameKey: keyOfName(vocabulary, company.name),
  }));
  const created = latest.filter((company) => fresh.has(company.key));
  await ensureDomains(
    client,
    incoming.flatMap((one) => one.company.hostnames),
  );
  await insertCompanies(client, created);
  await insertSourceKeys(client, source, created);
  const renamed = await renameCompanies(
    client,
    latest.filter((company) => !fresh.has(company.key)),
  );
  await addIdentifiers(client, incoming.flatMap(identifiersOf));
  const recalled = await writeFormerNames(
    client,
    incoming.flatMap(({ companyId, company }) =>
      keyedFormerNames(vocabulary, company.formerNames).map((name) => ({ ...name, companyId })),
    ),
  );
  await declareDomains(
    client,
    source,
    incoming.flatMap(({ companyId, company }) => company.hostnames.map((hostname) => ({ companyId, hostname }))),
  );
  const moved = await writeMerges(client, groups);
  const createdIds = new Set(created.map((company) => company.companyId));
  const movedBefore = moved.filter((id) => !createdIds.has(id));
  const touched = [...createdIds, ...renamed, ...recalled, ...moved];
  const tx = await appendCompanyChanges(client, [...new Set(touched)]);
  return (await appendMovedObservations(client, movedBefore)) ?? tx;
}

async function writeMerges(client: Queryable, groups: CompanyGroups): Promise<bigint[]> {
  await insertMerges(client, groups.merges);
  const members = new Set(groups.merges.flatMap((merge) => merge.memberIds));
  return await moveCompanies(
    client,
    [...members].map((companyId) => ({ companyId, canonicalId: groups.canonicalIdOf(companyId) })),
  );
}

function identifiersOf({ companyId, company }: IncomingCompany) {
  return company.identifiers.map((identifier) => ({ ...identifier, companyId }));
}

function hasNewFacts(company: CheckedCompany, before: RecordedCompany | undefined): boolean {
  if (!before || before.name !== company.name || before.country !== company.country) return true;
  const numbers = new Set(before.identifiers.map(({ scheme, value }) => `${scheme} ${value}`));
  const hostnames = new Set(before.hostnames);
  const formerNames = new Set(before.formerNames.map(datedName));
  return (
    company.formerNames.some((former) => !formerNames.has(datedName(former))) ||
    company.identifiers.some(({ scheme, value }) => !numbers.has(`${scheme} ${value}`)) ||
    company.hostnames.some((hostname) => !hostnames.has(hostname))
  );
}

function datedName({ name, since, until }: FormerName): string {
  return `${since?.getTime()} ${until?.getTime()} ${name}`;
}

/** Of records that name a company in the same words, the latest stays. */
function distinct(companies: readonly NamedCompany[]): NamedCompany[] {
  const latest = new Map<string, NamedCompany>();
  for (const company of companies) {
    const words = JSON.stringify({ ...company, usedAt: undefined });
    const known = latest.get(words);
    if (!known?.usedAt || (company.usedAt && company.usedAt > known.usedAt)) latest.set(words, company);
  }
  return [...latest.values()];
}
