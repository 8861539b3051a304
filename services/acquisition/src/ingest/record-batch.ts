import { FailureCode, failureOf } from '@ces/chassis/rpc/failure';
import { retry } from '@ces/chassis/service/retry';
import type { RecordService } from '@ces/proto/ces/lookup/v1/record_service_pb.ts';
import type { Client } from '@connectrpc/connect';
import type { Source } from '../connector/source.ts';
import { hex } from '../db/raw-record.ts';
import type { BatchRecord } from './batches.ts';
import type { RecordedPart } from './run-counts.ts';
import { toClosingRecord, toObservationRecord } from './to-record.ts';

export interface RecordContext {
  readonly source: Source;
  readonly collectedAt: Date;
  readonly operationId: bigint | undefined;
  readonly signal: AbortSignal;
}

const CALL_RECORDS = 500;
const ATTEMPTS = 6;
const FIRST_PAUSE_MS = 250;

/**
 * Splits off known records that a later record of the same key amends: reading a document again
 * must not publish older versions.
 */
export function splitSuperseded(
  batch: readonly BatchRecord[],
  keptBefore: ReadonlySet<string>,
): { readonly current: readonly BatchRecord[]; readonly superseded: readonly BatchRecord[] } {
  const latest = new Map(batch.map((record) => [record.kept.key, record]));
  const isSuperseded = (record: BatchRecord) =>
    latest.get(record.kept.key) !== record && keptBefore.has(hex(record.kept.hash));
  return {
    current: batch.filter((record) => !isSuperseded(record)),
    superseded: batch.filter(isSuperseded),
  };
}

/** Observations first, then closings. Lookup records each once, however often it is called. */
export async function* recordBatch(
  record: Client<typeof RecordService>,
  { source, signal, ...origin }: RecordContext,
  batch: readonly BatchRecord[],
): AsyncGenerator<RecordedPart> {
  const rows = batch.flatMap(({ kept, read }) =>
    read.observations.map((observation) => toObservationRecord(observation, { source, kept, ...origin })),
  );
  for (const observations of chunks(rows)) {
    const call = () => record.recordEvidence({ source: source.name, observations });
    const { tx, observations: recorded } = await callWithRetry(call, signal);
    yield { tx, observations: withKeys(recorded, observations), closings: [] };
  }
  const closingRows = batch.flatMap(({ kept, read }) => read.closings.map((closing) => toClosingRecord(closing, kept)));
  for (const closings of chunks(closingRows)) {
    const call = () => record.recordClosings({ source: source.name, closings });
    const { tx, closings: recorded } = await callWithRetry(call, signal);
    yield { tx, observations: [], closings: withKeys(recorded, closings) };
  }
}

function withKeys<T>(answers: readonly T[], rows: readonly { readonly key?: string }[]): (T & { key: string })[] {
  return answers.map((answer, index) => ({ ...answer, key: rows[index]?.key ?? '' }));
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
