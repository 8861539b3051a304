import type { Queryable } from '@ces/chassis/postgres/pool';
import { deliverable, RENDERED_COLUMNS, RENDERED_FROM, type RenderedRow, sameCompany } from './rendered-observation.ts';

export interface LookedUp {
  readonly known: boolean;
  readonly candidates: number;
  readonly company: { readonly id: bigint; readonly name: string } | undefined;
  readonly rows: readonly RenderedRow[];
}

export interface LookUp {
  readonly inputs: readonly LookedUp[];
  readonly readAt: Date;
}

export function lookUpByIds(db: Queryable, ids: readonly bigint[]): Promise<LookUp> {
  return lookUp(db, 'look up by ids', BY_IDS, ids);
}

export function lookUpByDomains(db: Queryable, hostnames: readonly string[]): Promise<LookUp> {
  return lookUp(db, 'look up by domains', BY_DOMAINS, hostnames);
}

const NOW = 'statement_timestamp()';

/** Supported by a deliverable observation. `offset 0` forces a look-up by key for each. */
export function isCurrent(judged: string): string {
  return `exists (
    select 1 from domain_support s
     cross join lateral (
       select id, company_id, expires_at, withdrawn_at, unverified_at
         from observation where id = s.observation_id offset 0) o
     where s.company_domain_id = cd.id and ${sameCompany('cd.company_id', 'o.company_id')}
       and ${deliverable(judged)} offset 0)`;
}

/** Demand classes rank alphabetically. */
const CHOICE = 'o.demand_class, o.occurred_at desc nulls last, o.id';

const CHOOSE_AND_RENDER = `
  select resolved.input_index, resolved.known, cardinality(resolved.candidates) as candidates,
         canonical.id as canonical_id, canonical.name as canonical_name, ${NOW} as read_at, shown.*
    from resolved
    left join company canonical on cardinality(resolved.candidates) = 1 and canonical.id = resolved.candidates[1]
    left join lateral (
      select ${RENDERED_COLUMNS}, canonical.id as company_id, canonical.name as company_name
        from (select o.*
                from company member
               cross join lateral (
                 select * from observation o
                  where o.company_id = member.id and ${deliverable(NOW)}
                  order by ${CHOICE} limit 3) o
               where member.survivor_id = canonical.id
               order by ${CHOICE} limit 3) o
        ${RENDERED_FROM}) shown on true
   order by resolved.input_index, shown.demand_class, shown.occurred_at desc nulls last, shown.id`;

const BY_IDS = `
  with resolved as (
    select i.input_index, c.id is not null as known, array_remove(array[c.survivor_id], null) as candidates
      from unnest($1::bigint[]) with ordinality as i(id, input_index)
      left join company c on c.id = i.id)
  ${CHOOSE_AND_RENDER}`;

const BY_DOMAINS = `
  with tied as (
    select i.input_index, c.survivor_id, ${isCurrent(NOW)} as current
      from unnest($1::text[]) with ordinality as i(hostname, input_index)
      join domain d on d.hostname = i.hostname
      join company_domain cd on cd.domain_id = d.id
      join company c on c.id = cd.company_id),
  resolved as (
    select i.input_index, count(tied.input_index) > 0 as known,
           coalesce(array_agg(distinct tied.survivor_id) filter (where tied.current), '{}') as candidates
      from unnest($1::text[]) with ordinality as i(hostname, input_index)
      left join tied using (input_index)
     group by i.input_index)
  ${CHOOSE_AND_RENDER}`;

interface LookUpRow extends Omit<RenderedRow, 'id'> {
  readonly input_index: bigint;
  readonly known: boolean;
  readonly candidates: number;
  readonly canonical_id: bigint | null;
  readonly canonical_name: string | null;
  readonly read_at: Date;
  readonly id: bigint | null;
}

async function lookUp(
  db: Queryable,
  name: string,
  text: string,
  inputs: readonly (bigint | string)[],
): Promise<LookUp> {
  const { rows } = await db.query<LookUpRow>({ name, text, values: [inputs] });
  const grouped = Map.groupBy(rows, (row) => Number(row.input_index));
  return {
    inputs: inputs.map((_, index) => toLookedUp(grouped.get(index + 1) ?? [])),
    readAt: rows[0]?.read_at ?? new Date(),
  };
}

function toLookedUp(rows: readonly LookUpRow[]): LookedUp {
  const [first] = rows;
  const name = first?.canonical_name ?? '';
  return {
    known: first?.known ?? false,
    candidates: first?.candidates ?? 0,
    company: first?.canonical_id == null ? undefined : { id: first.canonical_id, name },
    rows: rows.filter((row): row is LookUpRow & RenderedRow => row.id !== null),
  };
}
