import { type KeptRecord, sha256 } from '../db/raw-record.ts';
import { wholeCharacters } from '../extract/text.ts';
import type { Document, FetchRequest, RawRecord, Source } from '../sources/source.ts';
import type { DriftWatch } from './drift.ts';
import { type ReadRecord, readRecord } from './read-record.ts';
import type { RunCounts } from './run-counts.ts';

export interface BatchRecord {
  readonly raw: RawRecord;
  readonly kept: KeptRecord;
  readonly read: ReadRecord;
}

export interface Findings {
  readonly drift: DriftWatch;
  readonly counts: RunCounts;
  readonly followUps: FetchRequest[];
  newest: string | undefined;
}

/** A batch ends at the rows of one transaction in lookup, or at this many characters of memory. */
const BATCH_RECORDS = 500;
const MAX_KEPT_KEY = 500;
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

function readAll(source: Source, raws: readonly RawRecord[], fetchedAt: Date, findings: Findings): BatchRecord[] {
  for (const raw of raws) findings.drift.observe(raw.fields);
  const [absent] = findings.drift.absent();
  return raws.map((raw) => {
    const read = absent === undefined ? readRecord(source, raw, fetchedAt) : driftedRecord(raw, absent);
    count(raw, read, findings.counts);
    return { raw, kept: toKept(source, raw, read), read };
  });
}

/**
 * A document lacks a usual field altogether. Its records are kept but not mapped, because the
 * mapping could be wrong.
 */
function driftedRecord(raw: RawRecord, field: string): ReadRecord {
  const refusal = { key: raw.key, field, reason: 'is missing from the whole document' };
  return { text: undefined, observations: [], closings: [], leftOut: [], refusals: [refusal] };
}

function count(raw: RawRecord, read: ReadRecord, counts: RunCounts): void {
  counts.records += 1;
  for (const refusal of read.refusals) counts.refuse(refusal);
  for (const leftOut of read.leftOut) counts.leaveOut(leftOut, raw.key);
}

function toKept(source: Source, raw: RawRecord, read: ReadRecord): KeptRecord {
  return {
    hash: sha256(raw.content),
    key: storable(raw.key).slice(0, MAX_KEPT_KEY),
    uri: storable(raw.uri),
    content: raw.content,
    fields: raw.fields.map(storable),
    extractorVersion: source.extractorVersion,
    textHash: read.text === undefined ? undefined : sha256(read.text),
  };
}

/** Removes what Postgres cannot hold in a text. The content itself is stored as bytes. */
function storable(text: string): string {
  return wholeCharacters(text).replaceAll('\0', '');
}
