import type { Pool } from '@ces/chassis/postgres/pool';
import type { Clock } from '@ces/chassis/service/clock';
import type { Logger } from '@ces/chassis/telemetry/log';
import { RecordOutcome } from '@ces/proto/ces/lookup/v1/record_pb.ts';
import type { RecordService } from '@ces/proto/ces/lookup/v1/record_service_pb.ts';
import type { Client } from '@connectrpc/connect';
import { metrics } from '@opentelemetry/api';
import type { Document, FetchRequest, Source } from '../connector/source.ts';
import { Undecodable } from '../connector/unreadable.ts';
import { keepRawRecords } from '../db/raw-record.ts';
import { type BatchRecord, batchesOf, type Findings } from './batches.ts';
import { DriftWatch } from './drift.ts';
import { type RecordContext, recordBatch, splitSuperseded } from './record-batch.ts';
import type { RecordedPart, RunCounts } from './run-counts.ts';

interface IngestOptions {
  readonly source: Source;
  readonly counts: RunCounts;
  readonly operationId?: bigint;
  readonly signal: AbortSignal;
  readonly onBatch?: () => Promise<void>;
}

export interface IngestedDocument extends Readonly<Written> {
  readonly followUps: readonly FetchRequest[];
  readonly newest: string | undefined;
  readonly fields: ReadonlySet<string>;
}

interface Written {
  /** Last write in lookup; 0 if there is none. */
  tx: bigint;
  readonly createdIds: bigint[];
  readonly knownIds: bigint[];
}

const MOST_IDS = 10_000;

/**
 * Keeps raw records of each batch before it records their observations. Writes one batch while it
 * reads the next, so memory stays constant.
 */
export async function ingestDocument(
  tools: IngestTools,
  document: Document,
  options: IngestOptions,
): Promise<IngestedDocument> {
  const { source, counts, signal, operationId } = options;
  const findings: Findings = { drift: new DriftWatch(source.fields), counts, followUps: [], newest: undefined };
  const occurrence = { source: source.name, documentUri: document.uri, fetchedAt: document.fetchedAt };
  const context: RecordContext = { source, collectedAt: document.fetchedAt, operationId, signal };
  const written: Written = { tx: 0n, createdIds: [], knownIds: [] };
  const write = async (batch: readonly BatchRecord[]) => {
    const { added, keptBefore } = await keepRawRecords(
      tools.pool,
      occurrence,
      batch.map(({ kept }) => kept),
    );
    const { current, superseded } = splitSuperseded(batch, keptBefore);
    counts.newRecords += added;
    for (const { read } of superseded) counts.seen += read.observations.length;
    for await (const part of recordBatch(tools.record, context, current)) {
      counts.countRecorded(part);
      add(written, part);
    }
    await options.onBatch?.();
  };
  let writing: Promise<void> | undefined;
  try {
    for await (const batch of batchesOf(source, document, findings)) {
      signal.throwIfAborted();
      await writing;
      writing = write(batch);
      writing.catch(() => undefined);
    }
  } catch (error) {
    if (error instanceof Undecodable) countUndecodable(source.name, 1);
    throw error;
  } finally {
    await writing;
  }
  counts.documents += 1;
  for (const field of findings.drift.missing()) counts.driftMissing.add(field);
  return { followUps: findings.followUps, newest: findings.newest, fields: findings.drift.carried(), ...written };
}

function add(written: Written, { tx, observations }: RecordedPart): void {
  if (tx > written.tx) written.tx = tx;
  for (const { outcome, observationId } of observations) {
    const ids = outcome === RecordOutcome.CREATED ? written.createdIds : written.knownIds;
    if (observationId > 0n && ids.length < MOST_IDS) ids.push(observationId);
  }
}

export interface IngestTools {
  readonly pool: Pool;
  readonly record: Client<typeof RecordService>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Adding 0 creates the series, so that a rate sees its first increase. */
export function countUndecodable(source: string, documents: 0 | 1): void {
  // The meter returns the same instrument for the same name.
  metrics
    .getMeter('ces')
    .createCounter('ces.source.undecodable', {
      unit: '{document}',
      description: 'Documents of a source that were refused because their bytes are not of their charset.',
    })
    .add(documents, { source });
}
