import { FailureCode, failureOf } from '@ces/chassis/rpc/failure';
import { retry } from '@ces/chassis/service/retry';
import { RecordOutcome } from '@ces/proto/ces/lookup/v1/record_pb.ts';
import type { RecordedObservation } from '@ces/proto/ces/lookup/v1/record_service_pb.ts';
import { keepRawRecords, type Occurrence } from '../db/raw-record.ts';
import type { Source } from '../sources/source.ts';
import type { BatchRecord } from './batches.ts';
import type { RunCounts } from './run-counts.ts';
import { toClosingRecord, toObservationRecord } from './to-record.ts';
import type { IngestTools } from './tools.ts';

export interface BatchContext {
  readonly source: Source;
  readonly occurrence: Occurrence;
  readonly operationId: bigint | undefined;
  readonly counts: RunCounts;
  readonly signal: AbortSignal;
}

export interface RecordedBatch {
  /** Last write in lookup; 0 if there is none. */
  readonly tx: bigint;
  readonly createdIds: readonly bigint[];
  readonly knownIds: readonly bigint[];
}

const CALL_RECORDS = 500;
const ATTEMPTS = 6;
const FIRST_PAUSE_MS = 250;

/**
 * Keeps the raw records of a batch, then records their observations. A repetition changes only when
 * they were last seen.
 */
export async function recordBatch(
  tools: IngestTools,
  context: BatchContext,
  batch: readonly BatchRecord[],
): Promise<RecordedBatch> {
  const kept = batch.map((record) => record.kept);
  const { added, keptBefore } = await keepRawRecords(tools.pool, context.occurrence, kept);
  context.counts.newRecords += added;
  const { current, superseded } = splitSuperseded(batch, keptBefore);
  for (const { read } of superseded) context.counts.seen += read.observations.length;
  return await recordKept(tools, context, current);
}

/**
 * Records the observations and closings of kept records. Lookup records each once, however often it
 * is called.
 */
export async function recordKept(
  tools: Pick<IngestTools, 'record'>,
  context: BatchContext,
  batch: readonly BatchRecord[],
): Promise<RecordedBatch> {
  const observations = await recordObservations(tools, context, batch);
  const closingTx = await recordClosings(tools, context, batch);
  return { ...observations, tx: observations.tx > closingTx ? observations.tx : closingTx };
}

async function recordObservations(
  tools: Pick<IngestTools, 'record'>,
  context: BatchContext,
  batch: readonly BatchRecord[],
): Promise<RecordedBatch> {
  const { source, operationId, occurrence } = context;
  const rows = batch.flatMap(({ kept, read }) =>
    read.observations.map((observation) =>
      toObservationRecord(observation, {
        source,
        operationId,
        rawHash: kept.hash,
        textHash: kept.textHash ?? new Uint8Array(),
        collectedAt: occurrence.fetchedAt,
      }),
    ),
  );
  let tx = 0n;
  const createdIds: bigint[] = [];
  const knownIds: bigint[] = [];
  for (const observations of chunks(rows)) {
    const call = () => tools.record.recordEvidence({ source: source.name, observations });
    const answer = await callWithRetry(call, context.signal);
    if (answer.tx > tx) tx = answer.tx;
    answer.observations.forEach((recorded, index) => {
      count(recorded, observations[index]?.key ?? '', context.counts);
      if (recorded.outcome === RecordOutcome.CREATED) createdIds.push(recorded.observationId);
      else if (recorded.observationId > 0n) knownIds.push(recorded.observationId);
    });
  }
  return { tx, createdIds, knownIds };
}

async function recordClosings(
  tools: Pick<IngestTools, 'record'>,
  context: BatchContext,
  batch: readonly BatchRecord[],
): Promise<bigint> {
  const rows = batch.flatMap(({ raw, read }) => read.closings.map((closing) => toClosingRecord(closing, raw)));
  let tx = 0n;
  for (const closings of chunks(rows)) {
    const call = () => tools.record.recordClosings({ source: context.source.name, closings });
    const answer = await callWithRetry(call, context.signal);
    if (answer.tx > tx) tx = answer.tx;
    answer.closings.forEach(({ outcome, reason }, index) => {
      if (outcome !== RecordOutcome.REFUSED) context.counts.closings += 1;
      else context.counts.refuse({ key: closings[index]?.key ?? '', field: 'closing', reason });
    });
  }
  return tx;
}

/**
 * Splits off records that were kept before and that a later record of the same key in the batch
 * amends. A document may hold several versions of a record; reading it again must not publish the
 * older ones.
 */
function splitSuperseded(
  batch: readonly BatchRecord[],
  keptBefore: ReadonlySet<string>,
): { readonly current: readonly BatchRecord[]; readonly superseded: readonly BatchRecord[] } {
  const latest = new Map(batch.map((record) => [record.raw.key, record]));
  const isSuperseded = (record: BatchRecord) =>
    latest.get(record.raw.key) !== record && keptBefore.has(Buffer.from(record.kept.hash).toString('hex'));
  return {
    current: batch.filter((record) => !isSuperseded(record)),
    superseded: batch.filter(isSuperseded),
  };
}

function count({ outcome, companyId, reason }: RecordedObservation, key: string, counts: RunCounts): void {
  counts.countCompany(companyId);
  if (outcome === RecordOutcome.CREATED) counts.created += 1;
  else if (outcome === RecordOutcome.SEEN) counts.seen += 1;
  else if (outcome === RecordOutcome.AMENDED) counts.amended += 1;
  else counts.refuse({ key, field: 'record', reason: reason || 'was refused without a reason' });
}

/** Retries while lookup is unavailable. Its writes are idempotent. */
function callWithRetry<T>(call: () => Promise<T>, signal: AbortSignal): Promise<T> {
  const retryIf = (error: unknown) => failureOf(error)?.code === FailureCode.SERVICE_UNAVAILABLE;
  return retry(call, { attempts: ATTEMPTS, firstPauseMs: FIRST_PAUSE_MS, signal, retryIf });
}

function chunks<T>(rows: readonly T[]): T[][] {
  const parts: T[][] = [];
  for (let from = 0; from < rows.length; from += CALL_RECORDS) parts.push(rows.slice(from, from + CALL_RECORDS));
  return parts;
}
