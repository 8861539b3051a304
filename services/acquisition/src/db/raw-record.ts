import { hash } from 'node:crypto';
import type { Queryable } from '@ces/chassis/postgres/pool';
import type { RawRecord } from '../connector/source.ts';

export interface KeptRecord extends RawRecord {
  readonly hash: Uint8Array;
  readonly extractorVersion: number;
  readonly textHash: Uint8Array | undefined;
}

export interface Occurrence {
  readonly source: string;
  readonly documentUri: string;
  readonly fetchedAt: Date;
}

const MAX_KEY = 500;

export function sha256(text: string): Uint8Array {
  return hash('sha256', text, 'buffer');
}

/** Notes when known ones were last seen. `keptBefore`: their hashes in hexadecimal. */
export async function keepRawRecords(
  db: Queryable,
  occurrence: Occurrence,
  records: readonly KeptRecord[],
): Promise<{ readonly added: number; readonly keptBefore: ReadonlySet<string> }> {
  const distinct = new Map(records.map((record) => [hex(record.hash), record]));
  const keptBefore = new Set((await updateLastSeen(db, occurrence, [...distinct.values()])).map(hex));
  for (const hash of keptBefore) distinct.delete(hash);
  const added = distinct.size === 0 ? 0 : await insertRawRecords(db, occurrence, [...distinct.values()]);
  return { added, keptBefore };
}

async function updateLastSeen(
  db: Queryable,
  occurrence: Occurrence,
  records: readonly KeptRecord[],
): Promise<Uint8Array[]> {
  const { rows } = await db.query<{ hash: Buffer }>(
    `update kept_record set last_seen_at = greatest(last_seen_at, $3)
     from (select unnest($2::bytea[]) as hash order by hash) present
     where kept_record.source = $1 and kept_record.hash = present.hash
     returning kept_record.hash`,
    [occurrence.source, records.map((record) => record.hash), occurrence.fetchedAt],
  );
  return rows.map((row) => row.hash);
}

/** Postgres compresses; compressing here would take half of a run's time (measured). */
async function insertRawRecords(
  db: Queryable,
  occurrence: Occurrence,
  records: readonly KeptRecord[],
): Promise<number> {
  const contents = records.map((record) => Buffer.from(record.content));
  const { rowCount } = await db.query(
    `insert into raw_record (source, hash, source_key, uri, document_uri, fetched_at, last_seen_at, content, content_bytes,
       fields, extractor_version, text_hash)
     select $1, hash, key, uri, $2, $3, $3, content, content_bytes,
       array(select jsonb_array_elements_text(fields)), extractor_version, text_hash
     from unnest($4::bytea[], $5::text[], $6::text[], $7::bytea[], $8::int[], $9::jsonb[], $10::int[], $11::bytea[])
       as given (hash, key, uri, content, content_bytes, fields, extractor_version, text_hash)
     order by hash
     on conflict on constraint raw_record_key do nothing`,
    [
      occurrence.source,
      occurrence.documentUri,
      occurrence.fetchedAt,
      records.map((record) => record.hash),
      records.map((record) => storable(record.key).slice(0, MAX_KEY)),
      records.map((record) => storable(record.uri)),
      contents,
      contents.map((content) => content.length),
      records.map((record) => JSON.stringify(record.fields.map(storable))),
      records.map((record) => record.extractorVersion),
      records.map((record) => record.textHash ?? null),
    ],
  );
  return rowCount ?? 0;
}

/** Postgres texts hold no NUL. The content itself is stored as bytes. */
function storable(text: string): string {
  return text.replace(/\p{Surrogate}|\0/gu, '');
}

export interface StoredRecord {
  readonly source: string;
  readonly hash: Uint8Array;
  readonly content: string;
}

export async function readRawRecords(
  db: Queryable,
  wanted: readonly { readonly source: string; readonly hash: Uint8Array }[],
): Promise<StoredRecord[]> {
  const { rows } = await db.query<{ source: string; hash: Buffer; content: Buffer }>(
    `select source, hash, content
     from (select distinct * from unnest($1::text[], $2::bytea[]) as wanted (source, hash)) wanted
     join kept_record using (source, hash)
     join raw_record using (source, hash, fetched_at)`,
    [wanted.map((one) => one.source), wanted.map((one) => one.hash)],
  );
  return rows.map((row) => ({ ...row, content: row.content.toString('utf8') }));
}

export interface LatestRecord extends StoredRecord {
  readonly key: string;
  readonly uri: string;
  readonly fields: readonly string[];
  readonly documentUri: string;
  readonly fetchedAt: Date;
}

/** Newest version of each key with an extracted text, by source and hash from `after`. */
export async function listLatest(
  db: Queryable,
  after: { readonly source: string; readonly hash: Uint8Array },
  since: Date | undefined,
  count: number,
): Promise<LatestRecord[]> {
  const { rows } = await db.query<LatestRow>(
    `select source, hash, source_key as key, uri, document_uri, fetched_at, content, fields
     from raw_record r
     where (source, hash) > ($1, $2) and text_hash is not null and ($3::timestamptz is null or last_seen_at >= $3)
       and not exists (
         select 1 from raw_record n
         where n.source = r.source and n.source_key = r.source_key and n.text_hash is not null
           and (n.last_seen_at, n.fetched_at, n.hash) > (r.last_seen_at, r.fetched_at, r.hash))
     order by source, hash limit $4`,
    [after.source, after.hash, since ?? null, count],
  );
  return rows.map(({ document_uri: documentUri, fetched_at: fetchedAt, content, ...row }) => ({
    ...row,
    documentUri,
    fetchedAt,
    content: content.toString('utf8'),
  }));
}

interface LatestRow {
  source: string;
  hash: Buffer;
  key: string;
  uri: string;
  document_uri: string;
  fetched_at: Date;
  content: Buffer;
  fields: string[];
}

export async function countRawRecords(db: Queryable): Promise<Map<string, bigint>> {
  const { rows } = await db.query<{ source: string; kept: bigint }>('select source, records as kept from kept_count');
  return new Map(rows.map((row) => [row.source, row.kept]));
}

export function hex(hash: Uint8Array): string {
  return Buffer.from(hash.buffer, hash.byteOffset, hash.byteLength).toString('hex');
}
