import { isTransient } from '@ces/chassis/rpc/error';
import type { Source } from '../connector/source.ts';
import type { Sources } from '../connector/sources.ts';
import type { LatestRecord } from '../db/raw-record.ts';
import type { BatchRecord } from '../ingest/batches.ts';
import type { IngestTools } from '../ingest/ingest-document.ts';
import { readRecord } from '../ingest/read-record.ts';
import { recordBatch } from '../ingest/record-batch.ts';
import { RunCounts } from '../ingest/run-counts.ts';

export interface Reextracted {
  readonly created: bigint;
  readonly amended: bigint;
  readonly known: bigint;
  readonly failed: readonly string[];
}

/**
 * Each as of when it was fetched (promise R32). A fault of a connector affects one record, a fault
 * of lookup all records of the occurrence.
 */
export async function reextract(
  { record, sources, logger }: Pick<IngestTools, 'record' | 'logger'> & { readonly sources: Pick<Sources, 'find'> },
  records: readonly LatestRecord[],
  signal: AbortSignal,
): Promise<Reextracted> {
  const counts = new RunCounts();
  const failed: string[] = [];
  const onFault = (raws: readonly LatestRecord[], error: unknown) => {
    if (signal.aborted || isTransient(error)) throw error;
    const names = raws.map((raw) => `${raw.source} ${raw.key}`);
    logger.error({ err: error, records: names }, 'not recorded again');
    failed.push(...names);
  };
  const occurrences = Map.groupBy(records, (raw) => `${raw.source} ${raw.fetchedAt.toISOString()} ${raw.documentUri}`);
  for (const same of occurrences.values()) {
    const [first] = same;
    const source = first && sources.find(first.source);
    if (!source) continue;
    const batch = same.flatMap((raw) => reextractOne(source, raw, onFault));
    const context = { source, collectedAt: first.fetchedAt, operationId: undefined, signal };
    try {
      for await (const part of recordBatch(record, context, batch)) counts.countRecorded(part);
    } catch (error) {
      onFault(same, error);
    }
  }
  return { created: BigInt(counts.created), amended: BigInt(counts.amended), known: BigInt(counts.seen), failed };
}

function reextractOne(
  source: Source,
  record: LatestRecord,
  onFault: (records: readonly LatestRecord[], error: unknown) => void,
): BatchRecord[] {
  const { key, uri, content, fields, hash, fetchedAt } = record;
  const raw = { key, uri, content, fields };
  try {
    const read = readRecord(source, raw, fetchedAt);
    const { extractorVersion } = source;
    return [{ kept: { ...raw, hash, extractorVersion, textHash: read.textHash }, read }];
  } catch (error) {
    onFault([record], error);
    return [];
  }
}
