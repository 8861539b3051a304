import { createHash } from 'node:crypto';
import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { countryOf, kindOf } from '@ces/proto/catalog';
import type {
  ClosingRecordSchema,
  CompanyRecordSchema,
  ObservationRecordSchema,
} from '@ces/proto/ces/lookup/v1/record_pb.ts';
import { identifies } from '@ces/proto/registry-identifier';
import type { Closing, MappedCompany } from '../connector/mapped.ts';
import type { RawRecord, Source } from '../connector/source.ts';
import type { KeptRecord } from '../db/raw-record.ts';
import type { ReadObservation } from './read-record.ts';

export interface Origin {
  readonly source: Source;
  readonly kept: Pick<KeptRecord, 'hash' | 'textHash'>;
  readonly collectedAt: Date;
  readonly operationId: bigint | undefined;
}

export function toObservationRecord(
  observation: ReadObservation,
  origin: Origin,
): MessageInitShape<typeof ObservationRecordSchema> {
  const { source, kept, collectedAt, operationId = 0n } = origin;
  const occurredAt = observation.occurredAt && timestampFromDate(observation.occurredAt);
  const observedAt = timestampFromDate(collectedAt);
  return {
    key: observation.key,
    company: toCompanyRecord(observation.company),
    kind: kindOf(observation.kind),
    observedFact: observation.observedFact,
    whyItMayMatter: observation.whyItMayMatter,
    country: countryOf(observation.country),
    confidence: observation.confidence,
    ...(occurredAt && { occurredAt }),
    observedAt,
    ...(observation.expiresAt && { expiresAt: timestampFromDate(observation.expiresAt) }),
    evidence: observation.excerpts.map((excerpt) => ({
      sourceUri: observation.sourceUri,
      excerpt,
      ...(occurredAt && { occurredAt }),
      observedAt,
      rawRecordHash: kept.hash,
      textHash: kept.textHash ?? new Uint8Array(),
      extractorVersion: extractorName(source),
    })),
    categories: [...observation.categories],
    operationId,
    contentHash: contentHash(source, kept.hash),
    eventIdentifiers: [...observation.eventIdentifiers],
    title: observation.title ?? '',
    hostnames: [...observation.company.hostnames],
  };
}

export function toClosingRecord(closing: Closing, raw: RawRecord): MessageInitShape<typeof ClosingRecordSchema> {
  return {
    key: `${raw.key}#closing`,
    eventIdentifiers: [...closing.eventIdentifiers],
    kind: kindOf(closing.kind ?? 'procurement_request'),
    closedAt: timestampFromDate(closing.closedAt),
    sourceUri: raw.uri,
    ...(closing.company && { company: toCompanyRecord(closing.company) }),
  };
}

export function extractorName({ name, extractorVersion }: Source): string {
  return `${name}/${extractorVersion}`;
}

/** Includes the versions, so that a better mapping counts as a change. */
function contentHash(source: Source, rawHash: Uint8Array): Uint8Array {
  return createHash('sha256').update(rawHash).update(`${source.extractorVersion} ${source.mappingVersion}`).digest();
}

function toCompanyRecord(company: MappedCompany): MessageInitShape<typeof CompanyRecordSchema> {
  const identifier = company.identifiers.find(({ scheme }) => identifies(scheme));
  const own = identifier ? `${identifier.scheme}:${identifier.value}` : `${company.country} ${company.name}`;
  return {
    key: company.key ?? own,
    name: company.name,
    country: countryOf(company.country),
    hostnames: [...company.hostnames],
    identifiers: [...company.identifiers],
    formerNames: (company.formerNames ?? []).map(({ name, since, until }) => ({
      name,
      ...(since && { since: timestampFromDate(since) }),
      ...(until && { until: timestampFromDate(until) }),
    })),
  };
}
