import { createHash } from 'node:crypto';
import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { type Timestamp, timestampFromDate } from '@bufbuild/protobuf/wkt';
import { Country, Kind } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import {
  type CompanyRecord,
  CompanyRecordSchema,
  type EvidenceRecord,
  EvidenceRecordSchema,
  type ObservationRecord,
  ObservationRecordSchema,
  RecordOutcome,
} from '@ces/proto/ces/lookup/v1/record_pb.ts';
import { expect } from 'vitest';
import type { StartedLookup } from './started-lookup.ts';

export const SOURCE = 'test-set';

export function at(text: string): Timestamp {
  return timestampFromDate(new Date(text));
}

export function hashOf(text: string): Uint8Array {
  return new Uint8Array(createHash('sha256').update(text).digest());
}

export function aCompany(key: string, fields: MessageInitShape<typeof CompanyRecordSchema> = {}): CompanyRecord {
  return create(CompanyRecordSchema, { key, name: `Company ${key}`, country: Country.CA, ...fields });
}

export function aPassage(excerpt: string, fields: MessageInitShape<typeof EvidenceRecordSchema> = {}): EvidenceRecord {
  return create(EvidenceRecordSchema, {
    sourceUri: 'https://source.example/notice',
    excerpt,
    occurredAt: at('2026-01-02T00:00:00Z'),
    observedAt: at('2026-01-03T00:00:00Z'),
    ...fields,
  });
}

export function anObservation(
  key: string,
  company: string,
  fields: MessageInitShape<typeof ObservationRecordSchema> = {},
): ObservationRecord {
  return create(ObservationRecordSchema, {
    key,
    companyKey: company,
    kind: Kind.PROCUREMENT_REQUEST,
    observedFact: `Fact of ${key}.`,
    whyItMayMatter: 'A buyer asks for bids.',
    country: Country.CA,
    confidence: 0.9,
    occurredAt: at('2026-01-02T00:00:00Z'),
    observedAt: at('2026-01-03T00:00:00Z'),
    evidence: [aPassage(`Excerpt of ${key}.`)],
    contentHash: hashOf(key),
    ...fields,
  });
}

export function aProfile(
  key: string,
  company: string,
  fields: MessageInitShape<typeof ObservationRecordSchema> = {},
): ObservationRecord {
  const profile = anObservation(key, company, { kind: Kind.COMPANY_PROFILE, ...fields });
  if (!fields.occurredAt) delete profile.occurredAt;
  return profile;
}

export async function recordCompany(service: StartedLookup, key: string, ...hostnames: string[]): Promise<bigint> {
  const [id = 0n] = await recordCompanies(service, [aCompany(key, { hostnames })]);
  return id;
}

export async function recordObservation(service: StartedLookup, observation: ObservationRecord): Promise<bigint> {
  const [id = 0n] = await recordObservations(service, [observation]);
  return id;
}

export async function isDelivered({ lookup }: StartedLookup, observationId: bigint): Promise<boolean> {
  return await lookup.getObservation({ observationId }).then(
    () => true,
    () => false,
  );
}

export async function recordCompanies(
  { record }: StartedLookup,
  companies: readonly CompanyRecord[],
  source = SOURCE,
): Promise<bigint[]> {
  const answer = await record.recordCompanies({ source, companies: [...companies] });
  return answer.companies.map(({ outcome, companyId, reason }) => {
    if (outcome === RecordOutcome.REFUSED) throw new Error(reason);
    return companyId;
  });
}

export async function recordObservations(
  { record }: StartedLookup,
  observations: readonly ObservationRecord[],
  source = SOURCE,
): Promise<bigint[]> {
  const answer = await record.recordEvidence({ source, observations: [...observations] });
  return answer.observations.map(({ outcome, observationId, reason }) => {
    if (outcome === RecordOutcome.REFUSED) throw new Error(reason);
    return observationId;
  });
}

export async function merge({ owner }: StartedLookup, companyId: bigint, canonicalId: bigint): Promise<void> {
  await owner.query('update company set survivor_id = $2 where survivor_id = $1', [companyId, canonicalId]);
}

/**
 * Waits until readers may see every change. Open transactions of other databases on the server
 * delay them, too.
 */
export async function untilReadable({ owner }: StartedLookup): Promise<void> {
  const held = 'select 1 from change where tx >= pg_snapshot_xmin(pg_current_snapshot()) limit 1';
  await expect.poll(async () => (await owner.query(held)).rowCount, { timeout: 60_000, interval: 5 }).toBe(0);
}
