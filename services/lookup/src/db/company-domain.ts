import type { Queryable } from '@ces/chassis/postgres/pool';

export interface NamedHostname {
  readonly companyId: bigint;
  readonly hostname: string;
}

export async function ensureDomains(client: Queryable, hostnames: readonly string[]): Promise<void> {
  if (hostnames.length === 0) return;
  await client.query(
    `insert into domain (hostname)
     select distinct i.hostname from unnest($1::text[]) as i(hostname)
      where (select d.id from domain d where d.hostname = i.hostname) is null
      order by i.hostname
     on conflict (hostname) do nothing`,
    [hostnames],
  );
}

export async function declareDomains(
  client: Queryable,
  source: string,
  named: readonly NamedHostname[],
): Promise<{ id: bigint; companyId: bigint }[]> {
  if (named.length === 0) return [];
  const { rows } = await client.query<{ id: bigint; companyId: bigint }>(
    `insert into company_domain (company_id, domain_id, source)
     select distinct i.company_id, d.id, $1
       from unnest($2::bigint[], $3::text[]) as i(company_id, hostname)
       join domain d on d.hostname = i.hostname
     on conflict (company_id, domain_id, source) do update set declared = true where not company_domain.declared
     returning id, company_id as "companyId"`,
    [source, named.map((one) => one.companyId), named.map((one) => one.hostname)],
  );
  return rows;
}

export async function dropDomains(
  client: Queryable,
  source: string,
  companyIds: readonly bigint[],
  named: readonly NamedHostname[],
): Promise<{ id: bigint; companyId: bigint }[]> {
  if (companyIds.length === 0) return [];
  const { rows } = await client.query<{ id: bigint; companyId: bigint }>(
    `update company_domain cd set declared = false
       from domain d
      where cd.source = $1 and cd.company_id = any($2) and cd.declared and d.id = cd.domain_id
        and (cd.company_id, d.hostname) not in (select * from unnest($3::bigint[], $4::text[]))
     returning cd.id, cd.company_id as "companyId"`,
    [source, companyIds, named.map((one) => one.companyId), named.map((one) => one.hostname)],
  );
  return rows;
}

/** Every observation supports the domains that its source declares for the company. */
export async function supportDomains(client: Queryable, companyDomainIds: readonly bigint[]): Promise<void> {
  if (companyDomainIds.length === 0) return;
  await client.query(
    `insert into domain_support (company_domain_id, observation_id)
     select cd.id, o.id
       from company_domain cd
       join observation o on o.company_id = cd.company_id and o.source = cd.source
      where cd.id = any($1)
     on conflict do nothing`,
    [companyDomainIds],
  );
}

export async function supportByObservations(
  client: Queryable,
  source: string,
  observations: readonly { readonly observationId: bigint; readonly companyId: bigint }[],
): Promise<void> {
  if (observations.length === 0) return;
  await client.query(
    `insert into domain_support (company_domain_id, observation_id)
     select cd.id, i.observation_id
       from unnest($2::bigint[], $3::bigint[]) as i(observation_id, company_id)
       join company_domain cd on cd.company_id = i.company_id and cd.source = $1 and cd.declared`,
    [source, observations.map((one) => one.observationId), observations.map((one) => one.companyId)],
  );
}

export interface NamedSupport {
  readonly observationId: bigint;
  readonly companyId: bigint;
  readonly hostnames: readonly string[];
}

export async function supportNamed(
  client: Queryable,
  source: string,
  named: readonly NamedSupport[],
): Promise<bigint[]> {
  const rows = named.flatMap(({ hostnames, ...one }) => hostnames.map((hostname) => ({ ...one, hostname })));
  if (rows.length === 0) return [];
  const { rows: gained } = await client.query<{ observation_id: bigint }>(
    `insert into domain_support (company_domain_id, observation_id)
     select cd.id, i.observation_id
       from unnest($2::bigint[], $3::bigint[], $4::text[]) as i(observation_id, company_id, hostname)
       join domain d on d.hostname = i.hostname
       join company_domain cd on cd.company_id = i.company_id and cd.domain_id = d.id and cd.source = $1
       join observation o on o.id = i.observation_id
       join company own on own.id = o.company_id
       join company named on named.id = i.company_id and named.survivor_id = own.survivor_id
     on conflict do nothing
     returning observation_id`,
    [source, rows.map((row) => row.observationId), rows.map((row) => row.companyId), rows.map((row) => row.hostname)],
  );
  const ids = new Set(gained.map((row) => row.observation_id));
  return named.flatMap((one) => (ids.has(one.observationId) ? [one.companyId] : []));
}

export async function dropUnnamedSupport(
  client: Queryable,
  source: string,
  named: readonly NamedSupport[],
): Promise<bigint[]> {
  if (named.length === 0) return [];
  const { rows } = await client.query<{ company_id: bigint }>(
    `delete from domain_support s
      using unnest($2::bigint[], $3::bigint[]) as i(observation_id, company_id), company_domain cd, domain d
      where s.observation_id = i.observation_id and cd.id = s.company_domain_id and cd.company_id = i.company_id
        and cd.source = $1 and d.id = cd.domain_id
        and (i.observation_id, d.hostname) not in (select * from unnest($4::bigint[], $5::text[]))
     returning cd.company_id`,
    [
      source,
      named.map((one) => one.observationId),
      named.map((one) => one.companyId),
      named.flatMap((one) => one.hostnames.map(() => one.observationId)),
      named.flatMap((one) => one.hostnames),
    ],
  );
  return rows.map((row) => row.company_id);
}

export async function dropSupport(client: Queryable, companyDomainIds: readonly bigint[]): Promise<void> {
  if (companyDomainIds.length === 0) return;
  await client.query('delete from domain_support where company_domain_id = any($1)', [companyDomainIds]);
}
