import type { MessageInitShape } from '@bufbuild/protobuf';
import type { CompanyRecordSchema } from '@ces/proto/ces/lookup/v1/record_pb.ts';
import { companyRecord, sampleCompanies } from './companies.ts';
import { type SampleObservation, sampleObservations } from './observations.ts';

export const SAMPLE_SOURCE = 'sample';
export const SAMPLE_SEED = 20_260_101;
export const SAMPLE_COMPANIES = 2_400;

export interface Sample {
  readonly companies: readonly MessageInitShape<typeof CompanyRecordSchema>[];
  readonly observations: readonly SampleObservation[];
}

export function generateSample(today: Date, count = SAMPLE_COMPANIES): Sample {
  const companies = sampleCompanies(SAMPLE_SEED, count);
  return {
    companies: companies.map(companyRecord),
    observations: companies.flatMap((company) => sampleObservations(company, today)),
  };
}

export function startOfDay(now: Date): Date {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()));
}
