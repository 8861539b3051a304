import type { Queryable } from '@ces/chassis/postgres/pool';
import type { ObservationDocument } from '@ces/proto/ces/lookup/v1/record_pb.ts';
import type { AnalysedText } from '../../../text/analyse.ts';
import { optionalInstantText } from '../../instants.ts';

export interface ObservationRow {
  readonly document: ObservationDocument;
  readonly partition: string;
  readonly text: AnalysedText;
}

/** `rewrite` also overwrites newer versions of earlier generations, after a restore. */
export interface IndexingPass {
  readonly generation: number;
  readonly rewrite: boolean;
}

/** Also writes rows that the rebuild has not met yet. Ids must be distinct. */
export async function applyObservations(
  db: Queryable,
  rows: readonly ObservationRow[],
  pass: IndexingPass,
): Promise<void> {
  if (rows.length === 0) return;
  const claimed = await claimVersions(db, rows, pass);
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

async function claimVersions(db: Queryable, rows: readonly ObservationRow[], pass: IndexingPass) {
  const column = <T>(value: (document: ObservationDocument) => T) => rows.map((row) => value(row.document));
  const { rows: claimed } = await db.query<{ observation_id: bigint; old_bucket: string | null }>(
    `insert into indexed (observation_id, bucket, version, generation, tombstone, company_id, kind, country, occurred_at,
                          observed_at, recorded_at, deliverable_until)
     select id, bucket, version, $12, tombstone, company_id, kind, country, occurred_at,
            coalesce(observed_at, '-infinity'), coalesce(recorded_at, '-infinity'), coalesce(deliverable_until, 'infinity')
       from unnest($1::bigint[], $2::date[], $3::bigint[], $4::boolean[], $5::bigint[], $6::smallint[], $7::smallint[],
                   $8::timestamptz[], $9::timestamptz[], $10::timestamptz[], $11::timestamptz[])
         as incoming (id, bucket, version, tombstone, company_id, kind, country, occurred_at, observed_at, recorded_at,
                      deliverable_until)
     on conflict (observation_id) do update
        set bucket = excluded.bucket, version = excluded.version, generation = excluded.generation,
            tombstone = excluded.tombstone, company_id = excluded.company_id, kind = excluded.kind,
            country = excluded.country, occurred_at = excluded.occurred_at, observed_at = excluded.observed_at,
            recorded_at = excluded.recorded_at, deliverable_until = excluded.deliverable_until
      where indexed.version < excluded.version or ($13 and indexed.generation < excluded.generation)
     returning observation_id, old.bucket::text as old_bucket`,
    [
      column((document) => document.id),
      rows.map((row) => row.partition),
      column((document) => document.version),
      column((document) => document.tombstone),
      column((document) => document.companyId),
      column((document) => document.kind),
      column((document) => document.country),
      column((document) => optionalInstantText(document.occurredAt)),
      column((document) => optionalInstantText(document.observedAt)),
      column((document) => optionalInstantText(document.recordedAt)),
      column((document) => optionalInstantText(document.deliverableUntil)),
      pass.generation,
      pass.rewrite,
    ],
  );
  return claimed;
}

/** The ranked text usually begins with the words as written, which are sent only once. */
async function insertEntries(db: Queryable, rows: readonly ObservationRow[]): Promise<void> {
  if (rows.length === 0) return;
  await db.query(
    `insert into entry (observation_id, bucket, company_id, kind, country, occurred_at, observed_at, deliverable_until,
                        length, text, words, facts)
     select observation_id, bucket, company_id, kind, country, occurred_at, observed_at, deliverable_until,
            length, to_tsvector('english', coalesce(words || added, searchable)), words, facts::integer[]
       from unnest($1::bigint[], $2::integer[], $3::text[], $4::text[], $5::text[], $6::text[])
         as incoming (observation_id, length, words, added, searchable, facts)
       join indexed using (observation_id)`,
    [
      rows.map((row) => row.document.id),
      rows.map((row) => row.text.length),
      rows.map((row) => row.text.words),
      rows.map(({ text }) => (beginsWithWords(text) ? text.searchable.slice(text.words.length) : null)),
      rows.map(({ text }) => (beginsWithWords(text) ? null : text.searchable)),
      rows.map(({ text: { facts } }) => (facts.length > 0 ? `{${facts.join(',')}}` : null)),
    ],
  );
}

function beginsWithWords({ searchable, words }: AnalysedText): boolean {
  return searchable.startsWith(words);
}
