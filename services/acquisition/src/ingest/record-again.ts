import type { LatestRecord } from '../db/raw-record.ts';
import { sha256 } from '../db/raw-record.ts';
import type { Source } from '../sources/source.ts';
import type { Sources } from '../sources/sources.ts';
import type { BatchRecord } from './batches.ts';
import { readRecord } from './read-record.ts';
import { recordKept } from './record-batch.ts';
import { RunCounts } from './run-counts.ts';
import type { IngestTools } from './tools.ts';

export interface RecordedAgain {
  readonly created: bigint;
  readonly amended: bigint;
  readonly known: bigint;
}

/** Records once more what kept raw records say, each as of when it was fetched (promise R32). Those without a connector are left out. */
export async function recordAgain(
  { record, sources }: Pick<IngestTools, 'record'> & { readonly sources: Pick<Sources, 'find'> },
  records: readonly LatestRecord[],
  signal: AbortSignal,
): Promise<RecordedAgain> {
  const counts = new RunCounts();
  const occurrences = Map.groupBy(records, (raw) => `${raw.source} ${raw.fetchedAt.toISOString()} ${raw.documentUri}`);
  for (const together of occurrences.values()) {
    const [first] = together;
    const source = first && sources.find(first.source);
    if (!source) continue;
    const { documentUri, fetchedAt } = first;
    const occurrence = { source: source.name, documentUri, fetchedAt };
    const batch = together.map((raw) => readAgain(source, raw));
    await recordKept({ record }, { source, occurrence, operationId: undefined, counts, signal }, batch);
  }
  return { created: BigInt(counts.created), amended: BigInt(counts.amended), known: BigInt(counts.seen) };
}

function readAgain(source: Source, { key, uri, content, fields, hash, fetchedAt }: LatestRecord): BatchRecord {
  const raw = { key, uri, content, fields };
  const read = readRecord(source, raw, fetchedAt);
  const { extractorVersion } = source;
  const textHash = read.text === undefined ? undefined : sha256(read.text);
  return { raw, kept: { hash, key, uri, content, fields, extractorVersion, textHash }, read };
}
