import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { Queryable } from '@ces/chassis/postgres/pool';
import { type CountryName, countryOf, type KindName, kindOf } from '@ces/proto/catalog';
import type { ObservationDocumentSchema } from '@ces/proto/ces/lookup/v1/record_pb.ts';

const MAX_EXCERPTS = 10;

/** Expired observations carry `deliverable_until` instead of a tombstone. */
export async function readObservationDocuments(
  db: Queryable,
  ids: readonly bigint[],
): Promise<MessageInitShape<typeof ObservationDocumentSchema>[]> {
  if (ids.length === 0) return [];
  const { rows } = await db.query<DocumentRow | TombstoneRow>(
    `select i.id, coalesce(o.version, 0) as version,
            o.withdrawn_at is not null or o.unverified_at is not null or passages.excerpts is null as tombstone,
            c.survivor_id, o.kind, o.country, o.occurred_at, o.observed_at, o.expires_at, o.observed_fact,
            passages.excerpts, o.recorded_at, o.origin
       from unnest($1::bigint[]) as i(id)
       left join observation o on o.id = i.id
       left join company c on c.id = o.company_id
      cross join lateral (
        select json_agg(e.excerpt order by e.observed_at desc, e.id desc) as excerpts
          from (select * from evidence where observation_id = i.id and withdrawn_at is null
                 order by observed_at desc, id desc limit ${MAX_EXCERPTS}) e) passages`,
    [ids],
  );
  return rows.map((row) => (row.tombstone ? { id: row.id, version: row.version, tombstone: true } : toDocument(row)));
}

interface TombstoneRow {
  readonly id: bigint;
  readonly version: bigint;
  readonly tombstone: true;
}

interface DocumentRow {
  readonly id: bigint;
  readonly version: bigint;
  readonly tombstone: false;
  readonly survivor_id: bigint;
  readonly kind: KindName;
  readonly country: CountryName;
  readonly occurred_at: Date | null;
  readonly observed_at: Date;
  readonly expires_at: Date | null;
  readonly observed_fact: string;
  readonly excerpts: string[];
  readonly recorded_at: Date;
  readonly origin: string;
}

function toDocument(row: DocumentRow): MessageInitShape<typeof ObservationDocumentSchema> {
  return {
    id: row.id,
    version: row.version,
    companyId: row.survivor_id,
    kind: kindOf(row.kind),
    country: countryOf(row.country),
    ...(row.occurred_at && { occurredAt: timestampFromDate(row.occurred_at) }),
    observedAt: timestampFromDate(row.observed_at),
    ...(row.expires_at && { deliverableUntil: timestampFromDate(row.expires_at) }),
    observedFact: row.observed_fact,
    excerpts: row.excerpts,
    recordedAt: timestampFromDate(row.recorded_at),
    origin: row.origin,
  };
}
