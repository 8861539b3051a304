import type { Queryable } from '@ces/chassis/postgres/pool';
import { readRows } from '@ces/chassis/postgres/rows';
import type { KindName } from '@ces/proto/catalog';
import type { EventIdentifier, EventKey, EventScheme } from '../deduplication/event-key.ts';

export interface Closing {
  readonly key: string;
  readonly identifiers: readonly EventIdentifier[];
  readonly kind: KindName;
  readonly closedAt: Date;
  readonly sourceUri: string;
  /** Undefined if no recorded company is named. */
  readonly companyId: bigint | undefined;
}

export interface FoundClosing extends EventKey {
  readonly scheme: EventScheme;
  readonly closedAt: Date;
  readonly canonicalId: bigint | undefined;
}

/** Per source key, to detect whether a closing changed. */
export async function readClosings(
  db: Queryable,
  source: string,
  keys: readonly string[],
): Promise<Map<string, string>> {
  const { rows } = await db.query<{ source_key: string; digest: string }>(
    `select source_key,
            string_agg(concat_ws(' ', scheme, value, kind, extract(epoch from closed_at)::float8, source_uri, company_id),
                       chr(10) order by scheme, value) as digest
       from closing where source = $1 and source_key = any($2) group by source_key`,
    [source, keys],
  );
  return new Map(rows.map((row) => [row.source_key, row.digest]));
}

export async function writeClosings(client: Queryable, source: string, closings: readonly Closing[]): Promise<void> {
  const rows = closings.flatMap((closing) =>
    closing.identifiers.map(({ scheme, value }) => ({
      source_key: closing.key,
      scheme,
      value,
      kind: closing.kind,
      closed_at: closing.closedAt,
      source_uri: closing.sourceUri,
      company_id: closing.companyId === undefined ? undefined : `${closing.companyId}`,
    })),
  );
  await deleteClosings(
    client,
    source,
    closings.map((closing) => closing.key),
  );
  await client.query(
    `insert into closing (source, source_key, scheme, value, kind, closed_at, source_uri, company_id)
     select $1, i.* from json_to_recordset($2) as i(source_key text, scheme text, value text, kind text,
              closed_at timestamptz, source_uri text, company_id bigint)`,
    [source, JSON.stringify(rows)],
  );
}

async function deleteClosings(client: Queryable, source: string, keys: readonly string[]): Promise<void> {
  await client.query('delete from closing where source = $1 and source_key = any($2)', [source, keys]);
}

export async function findClosings(db: Queryable, keys: readonly EventKey[]): Promise<FoundClosing[]> {
  if (keys.length === 0) return [];
  return await readRows<FoundClosing>(
    db,
    `select c.scheme, c.value, c.kind, c.closed_at as "closedAt", company.survivor_id as "canonicalId"
       from (select distinct * from unnest($1::text[], $2::text[], $3::text[]) as i(scheme, value, kind)) i
       join closing c on c.scheme = i.scheme and c.value = i.value and c.kind = i.kind
       left join company on company.id = c.company_id`,
    [keys.map((key) => key.scheme), keys.map((key) => key.value), keys.map((key) => key.kind)],
  );
}

/** Applies to observations from before the closing. Returns those whose expiry changed. */
export async function expireObservations(
  client: Queryable,
  closed: readonly { readonly observationId: bigint; readonly closedAt: Date }[],
): Promise<bigint[]> {
  if (closed.length === 0) return [];
  const { rows } = await client.query<{ id: bigint }>(
    `update observation o set expires_at = i.closed_at, version = version + 1
       from (select id, min(closed_at) as closed_at from unnest($1::bigint[], $2::timestamptz[]) as i(id, closed_at)
              group by id) i
      where o.id = i.id and o.occurred_at <= i.closed_at and (o.expires_at is null or o.expires_at > i.closed_at)
     returning o.id`,
    [closed.map((one) => one.observationId), closed.map((one) => one.closedAt)],
  );
  return rows.map((row) => row.id);
}
