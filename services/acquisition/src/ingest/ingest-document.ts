import { Undecodable } from '../extract/charset.ts';
import type { Document, FetchRequest, Source } from '../sources/source.ts';
import { countUndecodable } from '../telemetry/undecodable.ts';
import { type BatchRecord, batchesOf, type Findings } from './batches.ts';
import { DriftWatch } from './drift.ts';
import { type RecordedBatch, recordBatch } from './record-batch.ts';
import type { RunCounts } from './run-counts.ts';
import type { IngestTools } from './tools.ts';

export interface IngestOptions {
  readonly source: Source;
  readonly counts: RunCounts;
  readonly operationId?: bigint;
  readonly signal: AbortSignal;
  /** Runs after every batch; throws to end the document. */
  readonly onBatch?: () => Promise<void>;
}

export interface IngestedDocument {
  readonly followUps: readonly FetchRequest[];
  readonly newest: string | undefined;
  readonly fields: ReadonlySet<string>;
  readonly tx: bigint;
  readonly createdIds: readonly bigint[];
  readonly knownIds: readonly bigint[];
}

const MOST_IDS = 10_000;

/** Writes one batch while it reads the next, so that memory stays constant. */
export async function ingestDocument(
  tools: IngestTools,
  document: Document,
  options: IngestOptions,
): Promise<IngestedDocument> {
  const { source, counts, signal } = options;
  const findings: Findings = { drift: new DriftWatch(source.fields), counts, followUps: [], newest: undefined };
  const occurrence = { source: source.name, documentUri: document.uri, fetchedAt: document.fetchedAt };
  const context = { source, occurrence, operationId: options.operationId, counts, signal };
  const sum = { tx: 0n, createdIds: [] as bigint[], knownIds: [] as bigint[] };
  const write = async (batch: readonly BatchRecord[]) => {
    add(sum, await recordBatch(tools, context, batch));
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
  return { followUps: findings.followUps, newest: findings.newest, fields: findings.drift.carried(), ...sum };
}

function add(
  sum: { tx: bigint; createdIds: bigint[]; knownIds: bigint[] },
  { tx, createdIds, knownIds }: RecordedBatch,
): void {
  if (tx > sum.tx) sum.tx = tx;
  sum.createdIds.push(...createdIds.slice(0, MOST_IDS - sum.createdIds.length));
  sum.knownIds.push(...knownIds.slice(0, MOST_IDS - sum.knownIds.length));
}
