import type { Queryable } from '@ces/chassis/postgres';
import type { ObservationDocument } from '@ces/proto/ces/lookup/v1/record_pb.ts';
import type { AnalysedText } from '../../text/analyse.ts';
import { instantText, optionalInstantText } from './instants.ts';

/** An observation ready to be written. */
export interface ObservationRow {
  readonly document: ObservationDocument;
  readonly bucket: string;
  readonly text: AnalysedText;
}

/** Which round of indexing writes, and whether it writes a version that is known once more. */
export interface Round {
  readonly generation: number;
  readonly rewrite: boolean;
}

/** Writes what is newer than the index has; ids are distinct. */
export async function applyObservations(db: Queryable, rows: readonly ObservationRow[], round: Round): Promise<void> {
  if (rows.length === 0) return;
  const claimed = await claimVersions(db, rows, round);
  const replaced = claimed.filter((row) => row.old_bucket !== null);
  if (replaced.length > 0)
    await db.query('delete from entry where bucket = any($2::date[]) and observation_id = any($1::bigint[])', [
      replaced.map((row) => row.observation_id),
      [...new Set(replaced.map((row) => row.old_bucket))],
    ]);
  const ids = new Set(claimed.map((row) => row.observation_id));
  await insertEntries(
    db,
    rows.filter(({ document }) => ids.has(document.id) && !document.tombstone),
  );
}

async function claimVersions(db: Queryable, rows: readonly ObservationRow[], round: Round) {
  const { rows: claimed } = await db.query<{ observation_id: bigint; old_bucket: string | null }>(
    `insert into indexed (observation_id, bucket, version, tombstone, generation)
     select id, bucket, version, tombstone, $5
       from unnest($1::bigint[], $2::date[], $3::bigint[], $4::boolean[]) as incoming (id, bucket, version, tombstone)
     on conflict (observation_id) do update
        set bucket = excluded.bucket, version = excluded.version, tombstone = excluded.tombstone,
            generation = excluded.generation
      where indexed.version < excluded.version or ($6 and indexed.version = excluded.version)
     returning observation_id, old.bucket::text as old_bucket`,
    [
      rows.map((row) => row.document.id),
      rows.map((row) => row.bucket),
      rows.map((row) => row.document.version),
      rows.map((row) => row.document.tombstone),
      round.generation,
      round.rewrite,
    ],
  );
  return claimed;
}

async function insertEntries(db: Queryable, rows: readonly ObservationRow[]): Promise<void> {
  if (rows.length === 0) return;
  const column = <T>(value: (row: ObservationRow) => T) => rows.map(value);
  await db.query(
    `insert into entry (observation_id, bucket, company_id, kind, country, occurred_at, observed_at, recorded_at,
                        deliverable_until, length, text, words)
     select id, bucket, company_id, kind, country, occurred_at, observed_at, coalesce(recorded_at, observed_at),
            coalesce(deliverable_until, 'infinity'), length, to_tsvector('english', searchable), words
       from unnest($1::bigint[], $2::date[], $3::bigint[], $4::smallint[], $5::smallint[], $6::timestamptz[],
                   $7::timestamptz[], $8::timestamptz[], $9::timestamptz[], $10::integer[], $11::text[], $12::text[])
         as incoming (id, bucket, company_id, kind, country, occurred_at, observed_at, recorded_at, deliverable_until,
                      length, searchable, words)`,
    [
      column((row) => row.document.id),
      column((row) => row.bucket),
      column((row) => row.document.companyId),
      column((row) => row.document.kind),
      column((row) => row.document.country),
      column((row) => optionalInstantText(row.document.occurredAt)),
      column((row) => (row.document.observedAt ? instantText(row.document.observedAt) : '-infinity')),
      column((row) => optionalInstantText(row.document.recordedAt)),
      column((row) => optionalInstantText(row.document.deliverableUntil)),
      column((row) => row.text.length),
      column((row) => row.text.searchable),
      column((row) => row.text.words),
    ],
  );
}
