import type { MessageInitShape } from '@bufbuild/protobuf';
import type { CompanyRecordSchema } from '@ces/proto/ces/lookup/v1/record_pb.ts';
import { companyRecord, sampleCompanies } from './companies.ts';
import { type SampleObservation, sampleObservations } from './observations.ts';

/** The name of the sample in the record, part of the identity of everything in it. */
export const SAMPLE_SOURCE = 'sample';
export const SAMPLE_SEED = 20_260_101;
export const SAMPLE_COMPANIES = 2_400;

export interface Sample {
  readonly companies: readonly MessageInitShape<typeof CompanyRecordSchema>[];
  readonly observations: readonly SampleObservation[];
}

/** Invented companies and what is known of them, as of `today` (00:00 UTC). The same on every machine but for the dates. */
export function generateSample(today: Date, count = SAMPLE_COMPANIES): Sample {
  const companies = sampleCompanies(SAMPLE_SEED, count);
  return {
    companies: companies.map(companyRecord),
    observations: companies.flatMap((company) => sampleObservations(company, today)),
  };
}

/** The start of the day in UTC. */
export function startOfDay(now: Date): Date {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()));
}
