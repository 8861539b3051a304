import type { Queryable } from '@ces/chassis/postgres/pool';
import { readRows } from '@ces/chassis/postgres/rows';
import type { KnownRecord } from '../deduplication/decide-repeat.ts';
import type { CheckedObservation } from '../validation/check-observation.ts';
import type { AssignedRecord } from './observation.ts';

/** The caller holds the resolution lock exclusively, so no other writer claims the keys. */
export async function attachDuplicates(
  client: Queryable,
  source: string,
  duplicates: readonly AssignedRecord[],
): Promise<void> {
  if (duplicates.length === 0) return;
  await client.query(
    `insert into source_record (source, source_key, observation_id, company_id, content_hash, seen_at)
     select $1, i.source_key, i.observation_id, i.company_id, decode(i.content_hash, 'hex'), i.seen_at
       from json_to_recordset($2)
         as i(source_key text, observation_id bigint, company_id bigint, content_hash text, seen_at timestamptz)`,
    [
      source,
      JSON.stringify(
        duplicates.map(({ observationId, companyId, record }) => ({
          ...toOccurrenceRow(record),
          observation_id: `${observationId}`,
          company_id: `${companyId}`,
        })),
      ),
    ],
  );
}

/** Ids in the order of records, keys in sorted order: concurrent batches wait, not deadlock. */
export async function claimRecords(
  client: Queryable,
  source: string,
  records: readonly CheckedObservation[],
): Promise<Map<string, bigint>> {
  if (records.length === 0) return new Map();
  const { rows } = await client.query<{ source_key: string; observation_id: bigint }>(
    `with fresh as materialized (
       select i.source_key, i.content_hash, i.seen_at
         from rows from (json_to_recordset($2) as (source_key text, content_hash text, seen_at timestamptz))
              with ordinality as i(source_key, content_hash, seen_at, position)
        where (select r.source_key from source_record r where r.source = $1 and r.source_key = i.source_key) is null
        order by i.position),
     numbered as materialized (
       select source_key, content_hash, seen_at, nextval('observation_id_seq') as observation_id from fresh)
     insert into source_record (source, source_key, observation_id, content_hash, seen_at)
     select $1, source_key, observation_id, decode(content_hash, 'hex'), seen_at from numbered order by source_key
     on conflict (source, source_key) do nothing
     returning source_key, observation_id`,
    [source, JSON.stringify(records.map(toOccurrenceRow))],
  );
  return new Map(rows.map((row) => [row.source_key, row.observation_id]));
}

export async function readRecorded(
  client: Queryable,
  source: string,
  keys: readonly string[],
): Promise<Map<string, KnownRecord>> {
  const rows = await readRows<KnownRecord & { readonly key: string }>(
    client,
    `select r.source_key as key, r.observation_id as "observationId", r.content_hash as "contentHash", r.seen_at as "lastSeenAt",
            c.survivor_id as "canonicalId", about.survivor_id as "eventCanonicalId", o.kind, o.source = $1 as "ownSource",
            o.source = $1 and coalesce(o.wording_key, r.source_key) = r.source_key as "setsWording",
            coalesce(o.wording_occurred_at, o.occurred_at) as "wordingOccurredAt"
       from source_record r
       join observation o on o.id = r.observation_id
       join company c on c.id = coalesce(r.company_id, o.company_id)
       join company about on about.id = o.company_id
      where r.source = $1 and r.source_key = any($2)`,
    [source, keys],
  );
  return new Map(rows.map((row) => [row.key, row]));
}

export async function updateOccurrences(
  client: Queryable,
  source: string,
  records: readonly CheckedObservation[],
): Promise<void> {
  if (records.length === 0) return;
  await client.query(
    `update source_record r set content_hash = decode(i.content_hash, 'hex'), seen_at = i.seen_at
       from json_to_recordset($2) as i(source_key text, content_hash text, seen_at timestamptz)
      where r.source = $1 and r.source_key = i.source_key
        and (r.content_hash, r.seen_at) <> (decode(i.content_hash, 'hex'), i.seen_at)`,
    [source, JSON.stringify(records.map(toOccurrenceRow))],
  );
}

function toOccurrenceRow(record: CheckedObservation) {
  return {
    source_key: record.key,
    content_hash: Buffer.from(record.contentHash).toString('hex'),
    seen_at: record.lastSeenAt,
  };
}
