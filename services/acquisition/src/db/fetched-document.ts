import type { Queryable } from '@ces/chassis/postgres/pool';

/** Validators of a document that was read to its end (RFC 9110 §8.8). */
export interface FetchedDocument {
  readonly etag: string | undefined;
  readonly lastModified: string | undefined;
}

export async function findFetched(db: Queryable, source: string, uri: string): Promise<FetchedDocument | undefined> {
  const { rows } = await db.query<{ etag: string | null; last_modified: string | null }>(
    'select etag, last_modified from fetched_document where source = $1 and uri = $2',
    [source, uri],
  );
  const [row] = rows;
  return row && { etag: row.etag ?? undefined, lastModified: row.last_modified ?? undefined };
}

export async function saveFetched(
  db: Queryable,
  source: string,
  uri: string,
  { etag, lastModified }: FetchedDocument,
  at: Date,
): Promise<void> {
  await db.query(
    `insert into fetched_document (source, uri, etag, last_modified, fetched_at) values ($1, $2, $3, $4, $5)
     on conflict on constraint fetched_document_key do update
       set etag = excluded.etag, last_modified = excluded.last_modified, fetched_at = excluded.fetched_at`,
    [source, uri, etag ?? null, lastModified ?? null, at],
  );
}
