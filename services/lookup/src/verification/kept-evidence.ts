import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { Queryable } from '@ces/chassis/postgres/pool';
import type { KeptEvidenceSchema } from '@ces/proto/ces/lookup/v1/record_service_pb.ts';

export async function listKeptEvidence(
  db: Queryable,
  afterId: bigint,
  source: string,
  limit: number,
): Promise<MessageInitShape<typeof KeptEvidenceSchema>[]> {
  const { rows } = await db.query<KeptRow>(
    `select id, observation_id, source, source_uri, excerpt, occurred_at, observed_at, last_seen_at, raw_record_hash,
            text_hash, extractor_version
       from evidence
      where raw_record_hash is not null and id > $1 and ($2 = '' or source = $2)
      order by id limit $3`,
    [afterId, source, limit],
  );
  return rows.map((row) => ({
    id: row.id,
    observationId: row.observation_id,
    source: row.source,
    evidence: {
      sourceUri: row.source_uri,
      excerpt: row.excerpt,
      ...(row.occurred_at && { occurredAt: timestampFromDate(row.occurred_at) }),
      observedAt: timestampFromDate(row.observed_at),
      ...(row.last_seen_at && { lastSeenAt: timestampFromDate(row.last_seen_at) }),
      rawRecordHash: new Uint8Array(row.raw_record_hash),
      textHash: new Uint8Array(row.text_hash),
      extractorVersion: row.extractor_version,
    },
  }));
}

interface KeptRow {
  readonly id: bigint;
  readonly observation_id: bigint;
  readonly source: string;
  readonly source_uri: string;
  readonly excerpt: string;
  readonly occurred_at: Date | null;
  readonly observed_at: Date;
  readonly last_seen_at: Date | null;
  readonly raw_record_hash: Buffer;
  readonly text_hash: Buffer;
  readonly extractor_version: string;
}
