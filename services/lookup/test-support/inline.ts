import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { Country } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import {
  type CompanyRecord,
  CompanyRecordSchema,
  type ObservationRecord,
  type ObservationRecordSchema,
  RecordOutcome,
} from '@ces/proto/ces/lookup/v1/record_pb.ts';
import { anObservation } from './records.ts';
import type { StartedLookup } from './started-lookup.ts';

export type CompanyFields = Omit<MessageInitShape<typeof CompanyRecordSchema>, '$typeName' | '$unknown'>;

export function named(name: string, fields: CompanyFields = {}): CompanyRecord {
  return create(CompanyRecordSchema, { key: name, name, country: Country.CA, ...fields });
}

export function numbered(scheme: string, value: string, fields: CompanyFields = {}): CompanyFields {
  return { identifiers: [{ scheme, value }], ...fields };
}

export function inline(
  key: string,
  company: CompanyRecord,
  fields: MessageInitShape<typeof ObservationRecordSchema> = {},
): ObservationRecord {
  return anObservation(key, '', { company, ...fields });
}

let records = 0;

export async function recordOne(
  { record }: StartedLookup,
  source: string,
  given: CompanyRecord | ObservationRecord,
): Promise<{ observationId: bigint; companyId: bigint; outcome: RecordOutcome; tx: bigint }> {
  records += 1;
  const observation = given.$typeName === 'ces.lookup.v1.CompanyRecord' ? inline(`record ${records}`, given) : given;
  const { observations, tx } = await record.recordEvidence({ source, observations: [observation] });
  const [answer] = observations;
  if (!answer || answer.outcome === RecordOutcome.REFUSED) throw new Error(answer?.reason ?? 'no answer');
  return { ...answer, tx };
}
