import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import type { Queryable } from '@ces/chassis/postgres/pool';
import { type CountryName, countryOf } from '@ces/proto/catalog';
import type { CompanyDocumentSchema } from '@ces/proto/ces/lookup/v1/record_pb.ts';
import { deliverable, epochMs, sameCompany } from '../hydration/rendered-observation.ts';

const NOW = 'statement_timestamp()';
const MAX_OTHER_NAMES = 20;

/**
 * Covers merged companies; that of a merged company only names its canonical company. `offset 0`
 * stops the planner from reading all profiles: on an empty table all indexes look alike.
 */
export async function readCompanyDocuments(
  db: Queryable,
  ids: readonly bigint[],
): Promise<MessageInitShape<typeof CompanyDocumentSchema>[]> {
  if (ids.length === 0) return [];
  const { rows } = await db.query<DocumentRow | GoneRow>(
    `select i.id, c.version, c.name, c.country, c.survivor_id, supported.domains, described.profile, known.other_names
       from unnest($1::bigint[]) as i(id)
       left join company c on c.id = i.id
      cross join lateral (
        select json_agg(json_build_object('hostname', hostname, 'until_ms', until_ms) order by hostname) as domains
          from (select d.hostname,
                       case when bool_and(o.expires_at is not null) then ${epochMs('max(o.expires_at)')} end as until_ms
                  from company member
                  join company_domain cd on cd.company_id = member.id
                  join domain d on d.id = cd.domain_id
                  join domain_support s on s.company_domain_id = cd.id
                 cross join lateral (
                   select id, company_id, expires_at, withdrawn_at, unverified_at
                     from observation where id = s.observation_id offset 0) o
                 where member.survivor_id = c.id and ${sameCompany('cd.company_id', 'o.company_id')}
                   and ${deliverable(NOW)}
                 group by d.hostname) current) supported
      cross join lateral (
        select string_agg(o.observed_fact || chr(10) || passages.excerpts, chr(10) || chr(10) order by o.id) as profile
          from company member
         cross join lateral (
           select * from observation o
            where o.company_id = member.id and o.demand_class = 'structural' and ${deliverable(NOW)} offset 0) o
         cross join lateral (
           select string_agg(e.excerpt, chr(10) order by e.observed_at desc, e.id desc) as excerpts
             from evidence e where e.observation_id = o.id and e.withdrawn_at is null) passages
         where member.survivor_id = c.id) described
      cross join lateral (
        select array_agg(name order by name) as other_names
          from (select name
                  from (select member.name from company member where member.survivor_id = c.id
                        union
                        select former.name
                          from company member join company_former_name former on former.company_id = member.id
                         where member.survivor_id = c.id) every
                 where name <> c.name order by name limit ${MAX_OTHER_NAMES}) other) known`,
    [ids],
  );
  return rows.map((row) => (row.version === null ? { id: row.id, tombstone: true } : toDocument(row)));
}

interface GoneRow {
  readonly id: bigint;
  readonly version: null;
}

interface DocumentRow {
  readonly id: bigint;
  readonly version: bigint;
  readonly name: string;
  readonly country: CountryName;
  readonly survivor_id: bigint;
  readonly domains: { readonly hostname: string; readonly until_ms: number | null }[] | null;
  readonly profile: string | null;
  readonly other_names: string[] | null;
}

function toDocument(row: DocumentRow): MessageInitShape<typeof CompanyDocumentSchema> {
  return {
    id: row.id,
    version: row.version,
    name: row.name,
    country: countryOf(row.country),
    survivorId: row.survivor_id,
    domains: (row.domains ?? []).map(({ hostname, until_ms }) => ({
      hostname,
      ...(until_ms !== null && { supportedUntil: timestampFromMs(until_ms) }),
    })),
    profile: row.profile ?? '',
    otherNames: row.other_names ?? [],
  };
}
