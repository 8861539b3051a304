import type { Queryable } from '@ces/chassis/postgres/pool';
import { readRows } from '@ces/chassis/postgres/rows';

type ScopeName = 'source' | 'licence' | 'company' | 'hostname' | 'raw_record';

/** A name, digits, a hostname or a hexadecimal hash. */
export interface Scope {
  readonly scope: ScopeName;
  readonly subject: string;
}

export async function activateTakeDown(
  client: Queryable,
  { scope, subject }: Scope,
  reason: string,
  caller: string,
): Promise<{ id: bigint; reason: string; created: boolean }> {
  const { rows } = await client.query<{ id: bigint; reason: string; created: boolean }>(
    `insert into take_down (scope, subject, reason, caller) values ($1, $2, $3, $4)
     on conflict (scope, subject) where lifted_at is null do update set lifted_at = null
     returning id, reason, old.id is null as created`,
    [scope, subject, reason, caller],
  );
  return rows[0] as { id: bigint; reason: string; created: boolean };
}

export async function liftTakeDown(client: Queryable, id: bigint, reason: string): Promise<boolean | undefined> {
  const { rows } = await client.query<{ changed: boolean }>(
    `update take_down
        set lifted_at = coalesce(lifted_at, clock_timestamp()), lifted_reason = coalesce(lifted_reason, $2)
      where id = $1
     returning old.lifted_at is null as changed`,
    [id, reason],
  );
  return rows[0]?.changed;
}

export async function listActiveTakeDowns(db: Queryable): Promise<(Scope & { readonly id: bigint })[]> {
  const { rows } = await db.query<Scope & { readonly id: bigint }>(
    `select id, scope, subject from take_down where lifted_at is null
     union all
     select t.id, 'source', s.name
       from take_down t join source s on s.licence = t.subject
      where t.lifted_at is null and t.scope = 'licence'`,
  );
  return rows;
}

export async function findCompaniesByHostname(
  db: Queryable,
  hostnames: readonly string[],
): Promise<Map<string, bigint[]>> {
  const { rows } = await db.query<{ hostname: string; ids: string[] }>(
    `select d.hostname, array_agg(distinct c.survivor_id)::text[] as ids
       from unnest($1::text[]) as i(hostname)
       join domain d on d.hostname = i.hostname
       join company_domain cd on cd.domain_id = d.id
       join company c on c.id = cd.company_id
      group by d.hostname`,
    [hostnames],
  );
  return new Map(rows.map((row) => [row.hostname, row.ids.map(BigInt)]));
}

export interface TakeDownEntry extends Scope {
  readonly id: bigint;
  readonly reason: string;
  readonly caller: string;
  readonly at: Date;
  readonly liftedAt: Date | undefined;
  readonly liftedReason: string | undefined;
  readonly observations: bigint;
}

const MAX_LISTED = 1000;

export async function listTakeDowns(db: Queryable, liftedToo: boolean): Promise<TakeDownEntry[]> {
  return await readRows<TakeDownEntry>(
    db,
    `select t.id, t.scope, t.subject, t.reason, t.caller, t.at, t.lifted_at as "liftedAt", t.lifted_reason as "liftedReason",
            (select count(*) from take_down_hit hit where hit.take_down_id = t.id and hit.evidence_id = 0) as observations
       from take_down t
      where $1 or t.lifted_at is null
      order by t.id desc limit ${MAX_LISTED}`,
    [liftedToo],
  );
}
