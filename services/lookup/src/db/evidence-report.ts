import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate, timestampFromMs } from '@bufbuild/protobuf/wkt';
import type { Queryable } from '@ces/chassis/postgres/pool';
import { type CountryName, countryOf, type KindName, kindOf } from '@ces/proto/catalog';
import type { GetEvidenceResponseSchema } from '@ces/proto/ces/lookup/v1/record_service_pb.ts';
import { deliverable, type EvidenceJson, epochMs, evidenceFields } from '../hydration/rendered-observation.ts';

export async function findEvidenceReport(
  db: Queryable,
  observationId: bigint,
): Promise<MessageInitShape<typeof GetEvidenceResponseSchema> | undefined> {
  const { rows } = await db.query<ReportRow>(
    `select o.*, c.name as company_name, c.survivor_id, record.source_key, record.content_hash, named.source_key as company_key,
            ${deliverable('statement_timestamp()')} as deliverable, passages.evidence
       from observation o
       join company c on c.id = o.company_id
       join lateral (
         select source_key, content_hash from source_record r where r.observation_id = o.id
          order by r.source <> o.source, r.source_key <> coalesce(o.wording_key, r.source_key), r.source, r.source_key
          limit 1) record on true
       join lateral (
         select source_key from company_source_key
          where company_id = o.company_id order by source <> o.source, source, source_key limit 1) named on true
      cross join lateral (
        select coalesce(json_agg(json_build_object(
                 'id', e.id, 'source_uri', e.source_uri, 'excerpt', e.excerpt,
                 'occurred_ms', ${epochMs('e.occurred_at')}, 'observed_ms', ${epochMs('e.observed_at')},
                 'last_seen_ms', ${epochMs('e.last_seen_at')}, 'withdrawn_ms', ${epochMs('e.withdrawn_at')},
                 'withdrawn_reason', e.withdrawn_reason, 'source', e.source, 'unverified_reason', e.unverified_reason,
                 'raw_record_hash', encode(e.raw_record_hash, 'hex'), 'text_hash', encode(e.text_hash, 'hex'),
                 'extractor_version', e.extractor_version)
               order by e.observed_at desc, e.id desc), '[]') as evidence
          from evidence e where e.observation_id = o.id) passages
      where o.id = $1`,
    [observationId],
  );
  return rows[0] && toReport(rows[0]);
}

interface ReportRow {
  readonly id: bigint;
  readonly company_id: bigint;
  readonly company_name: string;
  readonly survivor_id: bigint;
  readonly company_key: string;
  readonly source: string;
  readonly origin: string;
  readonly source_key: string;
  readonly content_hash: Buffer;
  readonly kind: KindName;
  readonly observed_fact: string;
  readonly why_it_may_matter: string;
  readonly country: CountryName;
  readonly confidence: number;
  readonly occurred_at: Date | null;
  readonly observed_at: Date;
  readonly expires_at: Date | null;
  readonly categories: string[];
  readonly first_operation_id: bigint | null;
  readonly recorded_at: Date;
  readonly withdrawn_at: Date | null;
  readonly withdrawn_reason: string | null;
  readonly unverified_at: Date | null;
  readonly unverified_reason: string | null;
  readonly deliverable: boolean;
  readonly evidence: ReportedEvidence[];
}

interface ReportedEvidence extends EvidenceJson {
  readonly withdrawn_ms: number | null;
  readonly withdrawn_reason: string | null;
  readonly source: string;
  readonly unverified_reason: string | null;
  readonly raw_record_hash: string | null;
  readonly text_hash: string | null;
  readonly extractor_version: string | null;
}

function toReport(row: ReportRow): MessageInitShape<typeof GetEvidenceResponseSchema> {
  const evidence = row.evidence.map(toEvidenceRow);
  return {
    record: { ...toRecord(row), evidence: evidence.map((one) => one.evidence) },
    observationId: row.id,
    companyId: row.company_id,
    companyName: row.company_name,
    source: row.source,
    evidence,
    ...(row.withdrawn_at && { withdrawnAt: timestampFromDate(row.withdrawn_at) }),
    withdrawnReason: row.withdrawn_reason ?? '',
    deliverable: row.deliverable,
    recordedAt: timestampFromDate(row.recorded_at),
    survivorId: row.survivor_id,
    ...(row.unverified_at && { unverifiedAt: timestampFromDate(row.unverified_at) }),
    unverifiedReason: row.unverified_reason ?? '',
  };
}

function toRecord(row: ReportRow) {
  return {
    key: row.source_key,
    companyKey: row.company_key,
    kind: kindOf(row.kind),
    observedFact: row.observed_fact,
    whyItMayMatter: row.why_it_may_matter,
    country: countryOf(row.country),
    confidence: row.confidence,
    ...(row.occurred_at && { occurredAt: timestampFromDate(row.occurred_at) }),
    observedAt: timestampFromDate(row.observed_at),
    ...(row.expires_at && { expiresAt: timestampFromDate(row.expires_at) }),
    categories: row.categories,
    origin: row.origin,
    operationId: row.first_operation_id ?? 0n,
    contentHash: new Uint8Array(row.content_hash),
  };
}

function toEvidenceRow(row: ReportedEvidence) {
  return {
    id: BigInt(row.id),
    evidence: {
      ...evidenceFields(row),
      ...(row.raw_record_hash !== null && { rawRecordHash: bytes(row.raw_record_hash) }),
      ...(row.text_hash !== null && { textHash: bytes(row.text_hash) }),
      extractorVersion: row.extractor_version ?? '',
    },
    ...(row.withdrawn_ms !== null && { withdrawnAt: timestampFromMs(row.withdrawn_ms) }),
    withdrawnReason: row.withdrawn_reason ?? '',
    source: row.source,
    unverifiedReason: row.unverified_reason ?? '',
  };
}

function bytes(hexadecimal: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(hexadecimal, 'hex'));
}
