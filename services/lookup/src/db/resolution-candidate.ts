import type { Queryable } from '@ces/chassis/postgres/pool';
import type { CountryName } from '@ces/proto/catalog';
import { epochMs } from '../hydration/rendered-observation.ts';
import type { CompanyFacts, FormerName, NamedFacts, RegistryIdentifier } from '../matching/company-facts.ts';

export interface RecordedCompany extends NamedFacts {
  readonly formerNames: readonly FormerName[];
  readonly key: string;
  readonly companyId: bigint;
  readonly canonicalId: bigint;
  readonly hostnames: readonly string[];
}

export interface RecordedMember extends NamedFacts {
  readonly formerNames: readonly FormerName[];
  readonly companyId: bigint;
  readonly canonicalId: bigint;
}

/** A hostname or name shared by more groups is ambiguous. */
const MAX_SHARING = 20;

/** Includes the hostnames that this source declares. */
export async function readCompaniesBySourceKey(
  db: Queryable,
  source: string,
  keys: readonly string[],
): Promise<RecordedCompany[]> {
  const { rows } = await db.query<MemberRow & { readonly source_key: string }>(
    `select k.source_key, c.id, c.survivor_id, c.name, c.country, ${identifiersOf('c')}, ${formerNamesOf('c')},
            ${hostnamesOf('c', 'and cd.source = $1')}
       from company_source_key k join company c on c.id = k.company_id
      where k.source = $1 and k.source_key = any($2)`,
    [source, keys],
  );
  return rows.map((row) => ({ ...toMember(row), key: row.source_key, hostnames: row.hostnames ?? [] }));
}

/** Groups that share an identifier, hostname or name with `all`, or contain one of `companyIds`. */
export async function readCandidates(
  db: Queryable,
  all: readonly CompanyFacts[],
  companyIds: readonly bigint[],
): Promise<RecordedMember[]> {
  const identifiers = all.flatMap((facts) => facts.identifiers);
  const names = all.flatMap((facts) => [...facts.names, ...facts.formerNames]).filter((name) => name.nameKey !== '');
  const { rows } = await db.query<MemberRow>(
    `with candidate as (
       select c.survivor_id
         from unnest($1::text[], $2::text[]) as i(scheme, value)
         join company_identifier known on known.scheme = i.scheme and known.value = i.value
         join company c on c.id = known.company_id
       union
       select sharing.survivor_id
         from unnest($1::text[], $2::text[]) as i(scheme, value)
        cross join lateral (
          select distinct c.survivor_id
            from company_shared_identifier known join company c on c.id = known.company_id
           where known.scheme = i.scheme and known.value = i.value limit ${MAX_SHARING}) sharing
       union
       select tied.survivor_id
         from unnest($3::text[]) as i(hostname)
         join domain d on d.hostname = i.hostname
        cross join lateral (
          select distinct c.survivor_id
            from company_domain cd join company c on c.id = cd.company_id
           where cd.domain_id = d.id and cd.declared limit ${MAX_SHARING}) tied
       union
       select named.survivor_id
         from unnest($4::text[], $5::text[]) as i(country, key)
        cross join lateral (
          select distinct c.survivor_id
            from company c where c.country = i.country and c.name_key = i.key and c.name_key <> ''
           limit ${MAX_SHARING}) named
       union
       select bore.survivor_id
         from unnest($4::text[], $5::text[]) as i(country, key)
        cross join lateral (
          select distinct c.survivor_id
            from company_former_name f join company c on c.id = f.company_id
           where f.name_key = i.key and f.name_key <> '' and c.country = i.country limit ${MAX_SHARING}) bore
       union
       select survivor_id from company where id = any($6))
     select c.id, c.survivor_id, c.name, c.country, ${identifiersOf('c')}, ${formerNamesOf('c')}, ${hostnamesOf('c')}
       from candidate join company c on c.survivor_id = candidate.survivor_id`,
    [
      identifiers.map((one) => one.scheme),
      identifiers.map((one) => one.value),
      [...new Set(all.flatMap((facts) => [...facts.hostnames]))],
      names.map((name) => name.country),
      names.map((name) => name.nameKey),
      companyIds,
    ],
  );
  return rows.map(toMember);
}

function identifiersOf(company: string): string {
  return `(select json_agg(json_build_object('scheme', scheme, 'value', value))
            from (select scheme, value from company_identifier where company_id = ${company}.id
                  union all
                  select scheme, value from company_shared_identifier where company_id = ${company}.id) number) as identifiers`;
}

function formerNamesOf(company: string): string {
  return `(select json_agg(json_build_object('name', name, 'since', ${epochMs('since')}, 'until', ${epochMs('until')}))
            from company_former_name where company_id = ${company}.id) as former_names`;
}

function hostnamesOf(company: string, condition = ''): string {
  return `(select array_agg(distinct d.hostname)
            from company_domain cd join domain d on d.id = cd.domain_id
           where cd.company_id = ${company}.id and cd.declared ${condition}) as hostnames`;
}

/** Omits companies without a dated record. */
export async function readLatestUse(db: Queryable, companyIds: readonly bigint[]): Promise<Map<bigint, Date>> {
  if (companyIds.length === 0) return new Map();
  const { rows } = await db.query<{ id: bigint; latest: Date | null }>(
    `select i.id, (select max(o.occurred_at) from observation o where o.company_id = i.id) as latest
       from unnest($1::bigint[]) as i(id)`,
    [companyIds],
  );
  return new Map(rows.flatMap(({ id, latest }) => (latest ? [[id, latest]] : [])));
}

interface MemberRow {
  readonly id: bigint;
  readonly survivor_id: bigint;
  readonly name: string;
  readonly country: CountryName;
  readonly identifiers: RegistryIdentifier[] | null;
  readonly former_names:
    | { readonly name: string; readonly since: number | null; readonly until: number | null }[]
    | null;
  readonly hostnames: string[] | null;
}

function toMember(row: MemberRow): RecordedMember {
  return {
    companyId: row.id,
    canonicalId: row.survivor_id,
    name: row.name,
    country: row.country,
    identifiers: row.identifiers ?? [],
    formerNames: (row.former_names ?? []).map(({ name, since, until }) => ({
      name,
      since: since === null ? undefined : new Date(since),
      until: until === null ? undefined : new Date(until),
    })),
    hostnames: row.hostnames ?? [],
  };
}
