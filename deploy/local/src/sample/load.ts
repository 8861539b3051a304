import { RecordOutcome } from '@ces/proto/ces/lookup/v1/record_pb.ts';
import type { RecordService } from '@ces/proto/ces/lookup/v1/record_service_pb.ts';
import type { Client } from '@connectrpc/connect';
import { generateSample, SAMPLE_SEED, SAMPLE_SOURCE } from './sample.ts';

const BATCH = 500;

export interface SampleLoad {
  readonly companies: number;
  readonly observations: number;
}

/** Keys never change, so a repetition only moves dates. Sequential calls give the same ids. */
export async function loadSample(
  record: Client<typeof RecordService>,
  today: Date,
  signal: AbortSignal,
): Promise<SampleLoad> {
  const sample = generateSample(today);
  const source = SAMPLE_SOURCE;
  for (const companies of batches(sample.companies))
    expectNoRefusal((await record.recordCompanies({ source, companies }, { signal })).companies);
  for (const observations of batches(sample.observations))
    expectNoRefusal((await record.recordEvidence({ source, observations }, { signal })).observations);
  return { companies: sample.companies.length, observations: sample.observations.length };
}

export function sampleIdentity(today: Date): string {
  return `seed ${SAMPLE_SEED}, dates up to ${today.toISOString().slice(0, 10)}`;
}

function expectNoRefusal(results: readonly { readonly outcome: RecordOutcome; readonly reason: string }[]): void {
  const refused = results.find((one) => one.outcome === RecordOutcome.REFUSED);
  if (refused) throw new Error(`the lookup service refuses the sample data: ${refused.reason}`);
}

function batches<T>(records: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(records.length / BATCH) }, (_, index) =>
    records.slice(index * BATCH, (index + 1) * BATCH),
  );
}
