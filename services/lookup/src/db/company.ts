import type { Queryable } from '@ces/chassis/postgres/pool';

export interface LockedCompany {
  readonly key: string;
  readonly companyId: bigint;
  readonly canonicalId: bigint;
}

export interface NamedCompany {
  readonly companyId: bigint;
  readonly name: string;
  readonly country: string;
  readonly nameKey: string;
}

/** Inserts in sorted order, so that concurrent batches wait instead of deadlocking. */
export async function claimCompanies(
  client: Queryable,
  source: string,
  keys: readonly string[],
): Promise<LockedCompany[]> {
  const { rows } = await client.query<LockedCompany>(
    `insert into company_source_key (source, source_key, company_id)
     select $1, fresh.source_key, nextval('company_id_seq')
       from (select i.source_key from unnest($2::text[]) as i(source_key)
              where (select k.source_key from company_source_key k
                      where k.source = $1 and k.source_key = i.source_key) is null
              order by i.source_key) fresh
     on conflict (source, source_key) do nothing
     returning source_key as key, company_id as "companyId", company_id as "canonicalId"`,
    [source, keys],
  );
  return rows;
}

export async function insertCompanies(client: Queryable, companies: readonly NamedCompany[]): Promise<void> {
  if (companies.length === 0) return;
  await client.query(
    `insert into company (id, survivor_id, name, country, name_key)
     select i.id, i.id, i.name, i.country, i.name_key
       from unnest($1::bigint[], $2::text[], $3::text[], $4::text[]) as i(id, name, country, name_key)`,
    columnsOf(companies),
  );
}

/** Locks in canonical order. Every write about a company happens under this lock. */
export async function lockCompanies(
  client: Queryable,
  source: string,
  keys: readonly string[],
): Promise<LockedCompany[]> {
  const { rows } = await client.query<LockedCompany>(
    `select k.source_key as key, k.company_id as "companyId", canonical.id as "canonicalId"
       from company_source_key k
       join company c on c.id = k.company_id
       join company canonical on canonical.id = c.survivor_id
      where k.source = $1 and k.source_key = any($2)
      order by canonical.id
        for no key update of canonical`,
    [source, keys],
  );
  return rows;
}

export async function lockCompanyOfObservation(client: Queryable, observationId: bigint): Promise<boolean> {
  const { rowCount } = await client.query(
    `select 1
       from observation o
       join company c on c.id = o.company_id
       join company canonical on canonical.id = c.survivor_id
      where o.id = $1
        for no key update of canonical`,
    [observationId],
  );
  return rowCount === 1;
}

export async function lockCompaniesOfObservations(client: Queryable, ids: readonly bigint[]): Promise<void> {
  await client.query(
    `select canonical.id
       from (select distinct c.survivor_id
               from observation o join company c on c.id = o.company_id
              where o.id = any($1)) named
       join company canonical on canonical.id = named.survivor_id
      order by canonical.id
        for no key update of canonical`,
    [ids],
  );
}

export async function lockCanonicalCompanies(client: Queryable, companyIds: readonly bigint[]): Promise<void> {
  await client.query(
    `select canonical.id
       from (select distinct survivor_id from company where id = any($1)) named
       join company canonical on canonical.id = named.survivor_id
      order by canonical.id
        for no key update of canonical`,
    [companyIds],
  );
}

/** The previous name becomes a former name, unless both are spellings of one name. */
export async function renameCompanies(client: Queryable, companies: readonly NamedCompany[]): Promise<bigint[]> {
  const { rows } = await client.query<{ id: bigint }>(
    `with renamed as (
       select c.id, c.name, c.name_key, i.name as new_name, i.country as new_country, i.name_key as new_key
         from unnest($1::bigint[], $2::text[], $3::text[], $4::text[]) as i(id, name, country, name_key)
         join company c on c.id = i.id
        where (c.name, c.country) <> (i.name, i.country)),
     kept as (
       insert into company_former_name (company_id, name, name_key, until)
       select id, name, name_key, statement_timestamp() from renamed where name_key <> new_key
       on conflict (company_id, name) do update set until = excluded.until, since = null)
     update company c set name = r.new_name, country = r.new_country, name_key = r.new_key
       from renamed r
      where c.id = r.id
     returning c.id`,
    columnsOf(companies),
  );
  return rows.map((row) => row.id);
}

function columnsOf(companies: readonly NamedCompany[]) {
  return [
    companies.map((one) => one.companyId),
    companies.map((one) => one.name),
    companies.map((one) => one.country),
    companies.map((one) => one.nameKey),
  ];
}

export async function allocateCompanyIds(client: Queryable, count: number): Promise<bigint[]> {
  if (count === 0) return [];
  const { rows } = await client.query<{ id: bigint }>(
    "select nextval('company_id_seq') as id from generate_series(1, $1::int)",
    [count],
  );
  return rows.map((row) => row.id);
}

/** The caller holds the resolution lock exclusively, so no other writer claims these keys. */
export async function insertSourceKeys(
  client: Queryable,
  source: string,
  companies: readonly { readonly key: string; readonly companyId: bigint }[],
): Promise<void> {
  if (companies.length === 0) return;
  await client.query(
    `insert into company_source_key (source, source_key, company_id)
     select $1, i.source_key, i.company_id from unnest($2::text[], $3::bigint[]) as i(source_key, company_id)`,
    [source, companies.map((one) => one.key), companies.map((one) => one.companyId)],
  );
}

export async function findAfter(
  db: Queryable,
  after: bigint,
  limit: number,
): Promise<{ companyId: bigint; name: string; nameKey: string }[]> {
  const { rows } = await db.query<{ companyId: bigint; name: string; nameKey: string }>(
    'select id as "companyId", name, name_key as "nameKey" from company where id > $1 order by id limit $2',
    [after, limit],
  );
  return rows;
}

/** Skips a name that has changed since it was read. */
export async function writeNameKeys(
  client: Queryable,
  keys: readonly { readonly companyId: bigint; readonly name: string; readonly nameKey: string }[],
): Promise<void> {
  await client.query(
    `update company c set name_key = i.name_key
       from unnest($1::bigint[], $2::text[], $3::text[]) as i(id, name, name_key)
      where c.id = i.id and c.name = i.name and c.name_key <> i.name_key`,
    [keys.map((one) => one.companyId), keys.map((one) => one.name), keys.map((one) => one.nameKey)],
  );
}

/** Keeps the order of `ids`. An unknown id resolves to itself. */
export async function resolveCanonicalIds(db: Queryable, ids: readonly bigint[]): Promise<bigint[]> {
  const { rows } = await db.query<{ id: bigint }>(
    `select coalesce(c.survivor_id, i.id) as id
       from unnest($1::bigint[]) with ordinality as i(id, position)
       left join company c on c.id = i.id
      order by i.position`,
    [ids],
  );
  return rows.map((row) => row.id);
}
