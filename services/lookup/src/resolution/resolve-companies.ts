import type { Queryable } from '@ces/chassis/postgres/pool';
import { noteCompanies, noteMoved } from '../changes/change-feed.ts';
import { addIdentifiers, insertCompanies, insertKeys, renameCompanies, takeCompanyIds } from '../db/company.ts';
import { declareDomains, ensureDomains } from '../db/company-domain.ts';
import { insertMerges, moveCompanies } from '../db/company-merge.ts';
import { type RecordedCompany, readApart, readCandidates, readCompaniesByKey } from '../db/resolution-candidate.ts';
import type { CheckedCompany } from '../validation/check-company.ts';
import { type CompanyFacts, factsOf } from './company-facts.ts';
import { Groups } from './company-groups.ts';
import { legalName, nameKey } from './legal-name.ts';
import type { ResolutionVocabulary } from './vocabulary.ts';

/** A company of a batch: its own row, and the company it turned out to be. */
export interface ResolvedCompany {
  readonly companyId: bigint;
  readonly survivorId: bigint;
}

export interface Resolution {
  readonly byKey: ReadonlyMap<string, ResolvedCompany>;
  /** Undefined when readers have nothing to learn. */
  readonly tx: bigint | undefined;
}

/** What a source says of a company, and the row it gets or has. */
interface Said {
  readonly company: CheckedCompany;
  readonly companyId: bigint;
  readonly facts: CompanyFacts;
}

/**
 * Records the companies that observations name and resolves them, under the resolution lock. Each (source, key) keeps a
 * company of its own and follows a survivor, so that every decision can be taken back.
 */
export async function resolveInline(
  client: Queryable,
  vocabulary: ResolutionVocabulary,
  source: string,
  companies: readonly CheckedCompany[],
): Promise<Resolution> {
  const keys = [...new Set(companies.map((company) => company.key))];
  const known = new Map((await readCompaniesByKey(client, source, keys)).map((company) => [company.key, company]));
  const telling = distinct(companies).filter((company) => saysMore(company, known.get(company.key)));
  if (telling.length === 0) return { byKey: known, tx: undefined };
  const fresh = [...new Set(telling.map((company) => company.key))].filter((key) => !known.has(key));
  const ids = new Map([...known].map(([key, company]) => [key, company.companyId]));
  for (const [place, id] of (await takeCompanyIds(client, fresh.length)).entries()) ids.set(fresh[place] ?? '', id);
  const said = telling.map((company) => ({
    company,
    companyId: ids.get(company.key) ?? 0n,
    facts: factsOf(vocabulary, company),
  }));
  const groups = await placeAll(client, vocabulary, said);
  const tx = await write(client, vocabulary, source, { said, groups, fresh: new Set(fresh) });
  const resolved = [...ids].map(([key, companyId]): [string, ResolvedCompany] => {
    const before = known.get(key);
    const placed = groups.survivorOf(companyId);
    return [key, { companyId, survivorId: placed === companyId && before ? before.survivorId : placed }];
  });
  return { byKey: new Map(resolved), tx };
}

async function placeAll(client: Queryable, vocabulary: ResolutionVocabulary, said: readonly Said[]): Promise<Groups> {
  const candidates = await readCandidates(
    client,
    said.map((one) => one.facts),
    said.map((one) => one.companyId),
  );
  const members = candidates.map((member) => ({ ...member, facts: factsOf(vocabulary, member) }));
  const apart = await readApart(
    client,
    candidates.map((member) => member.companyId),
  );
  const groups = new Groups(vocabulary, members, apart);
  for (const { companyId, facts } of said) groups.place(companyId, facts);
  return groups;
}

async function write(
  client: Queryable,
  vocabulary: ResolutionVocabulary,
  source: string,
  { said, groups, fresh }: { said: readonly Said[]; groups: Groups; fresh: ReadonlySet<string> },
): Promise<bigint | undefined> {
  const latest = [...new Map(said.map((one) => [one.company.key, one])).values()].map(({ company, companyId }) => ({
    key: company.key,
    companyId,
    name: company.name,
    country: company.country,
    nameKey: nameKey(vocabulary, legalName(vocabulary, company.name)),
  }));
  const created = latest.filter((company) => fresh.has(company.key));
  await ensureDomains(
    client,
    said.flatMap((one) => one.company.hostnames),
  );
  await insertCompanies(client, created);
  await insertKeys(client, source, created);
  const renamed = await renameCompanies(
    client,
    latest.filter((company) => !fresh.has(company.key)),
  );
  await addIdentifiers(client, said.flatMap(identifiersOf));
  await declareDomains(
    client,
    source,
    said.flatMap(({ companyId, company }) => company.hostnames.map((hostname) => ({ companyId, hostname }))),
  );
  const moved = await writeMerges(client, groups);
  const movedBefore = moved.filter((id) => !created.some((company) => company.companyId === id));
  const touched = [...created.map((company) => company.companyId), ...renamed, ...moved];
  const tx = await noteCompanies(client, [...new Set(touched)]);
  return (await noteMoved(client, movedBefore)) ?? tx;
}

async function writeMerges(client: Queryable, groups: Groups): Promise<bigint[]> {
  await insertMerges(client, groups.merges);
  const members = new Set(groups.merges.flatMap((merge) => merge.memberIds));
  return await moveCompanies(
    client,
    [...members].map((companyId) => ({ companyId, survivorId: groups.survivorOf(companyId) })),
  );
}

function identifiersOf({ companyId, company }: Said) {
  return company.identifiers.map((identifier) => ({ ...identifier, companyId }));
}

/** Whether a record says of its company what the source has not said of it before. */
function saysMore(company: CheckedCompany, before: RecordedCompany | undefined): boolean {
  if (!before || before.name !== company.name || before.country !== company.country) return true;
  const numbers = new Set(before.identifiers.map(({ scheme, value }) => `${scheme} ${value}`));
  const hostnames = new Set(before.hostnames);
  return (
    company.identifiers.some(({ scheme, value }) => !numbers.has(`${scheme} ${value}`)) ||
    company.hostnames.some((hostname) => !hostnames.has(hostname))
  );
}

/** Many records of a batch name one company in the same words. */
function distinct(companies: readonly CheckedCompany[]): CheckedCompany[] {
  return [...new Map(companies.map((company) => [JSON.stringify(company), company])).values()];
}
