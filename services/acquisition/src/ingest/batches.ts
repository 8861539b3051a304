import type { Document, FetchRequest, RawRecord, Source } from '../connector/source.ts';
import { type KeptRecord, sha256 } from '../db/raw-record.ts';
import type { DriftWatch } from './drift.ts';
import { type ReadRecord, readRecord } from './read-record.ts';
import type { RunCounts } from './run-counts.ts';

export interface BatchRecord {
  readonly kept: KeptRecord;
  readonly read: ReadRecord;
}

export interface Findings {
  readonly drift: DriftWatch;
  readonly counts: RunCounts;
  readonly followUps: FetchRequest[];
  newest: string | undefined;
}

/** The rows of one transaction in lookup, and characters of memory. */
const BATCH_RECORDS = 500;
const BATCH_CHARACTERS = 4 * 1024 * 1024;

export async function* batchesOf(
  source: Source,
  document: Document,
  findings: Findings,
): AsyncGenerator<readonly BatchRecord[]> {
  let raws: RawRecord[] = [];
  let characters = 0;
  for await (const parsed of source.parse(document)) {
    if (parsed.type === 'refused') findings.counts.refuse(parsed.refusal);
    else if (parsed.type === 'follow_up') findings.followUps.push(parsed.request);
    else if (parsed.type === 'newest') findings.newest = parsed.watermark;
    else {
      raws.push(parsed.record);
      characters += parsed.record.content.length;
    }
    if (raws.length < BATCH_RECORDS && characters < BATCH_CHARACTERS) continue;
    yield readAll(source, raws, document.fetchedAt, findings);
    raws = [];
    characters = 0;
  }
  if (raws.length > 0) yield readAll(source, raws, document.fetchedAt, findings);
}

function readAll(
  source: Source,
  raws: readonly RawRecord[],
  fetchedAt: Date,
  { drift, counts }: Findings,
): BatchRecord[] {
  for (const raw of raws) drift.observe(raw.fields);
  const [absent] = drift.absent();
  return raws.map((raw) => {
    const read = absent === undefined ? readRecord(source, raw, fetchedAt) : driftedRecord(raw, absent);
    counts.countRead(raw.key, read);
    const { extractorVersion } = source;
    return { kept: { ...raw, hash: sha256(raw.content), extractorVersion, textHash: read.textHash }, read };
  });
}

function driftedRecord(raw: RawRecord, field: string): ReadRecord {
  const refusal = { key: raw.key, field, reason: 'is missing from the whole document' };
  return { text: undefined, textHash: undefined, observations: [], closings: [], leftOut: [], refusals: [refusal] };
}
