import type { Clock } from '@ces/chassis/service/clock';
import type { Fetcher } from '../fetch/fetcher.ts';
import { DriftWatch } from '../ingest/drift.ts';
import { type ReadRecord, readRecord } from '../ingest/read-record.ts';
import type { Document, FetchRequest, RawRecord, Refusal, Source } from '../sources/source.ts';
import { type Recording, recorded } from './recorded-body.ts';

export interface TryOptions {
  /** Documents that are fetched at most: the first request, then what answers lead to. */
  readonly pages: number;
  /** Records that are read of each at most. */
  readonly records: number;
  /** What a source that answers searches is asked for. */
  readonly query: string;
  /** Keeps the bytes of answers in memory, to be handed over. */
  readonly recordsExchanges: boolean;
}

/** A document as the source answered it, and what would be recorded of it. */
export interface TriedPage {
  readonly request: FetchRequest;
  /** Undefined: nothing was answered. */
  readonly document: Document | undefined;
  readonly bytes: number;
  /** As received, after decompression; undefined when nobody asked for it. */
  readonly exchange: Recording | undefined;
  readonly records: readonly TriedRecord[];
  /** Of the document itself. */
  readonly refusals: readonly Refusal[];
  readonly followUps: readonly FetchRequest[];
  /** True: it holds more records than were read. */
  readonly hasMore: boolean;
  /** Fields that its records lack and the connector knows. */
  readonly missingFields: readonly string[];
  /** Why it was not read to its end; empty when it was. */
  readonly failure: string;
}

export interface TriedRecord {
  readonly raw: RawRecord;
  readonly read: ReadRecord;
}

interface Tools {
  readonly fetcher: Fetcher;
  readonly clock: Clock;
}

/**
 * Fetches what a run or a search would fetch first and reads it as they would: politely, within the source's budget, and
 * keeping nothing. What a source does wrong is said in its page; nothing is thrown for it.
 */
export async function trySource(
  tools: Tools,
  source: Source,
  settings: ReadonlyMap<string, string>,
  options: TryOptions,
  signal: AbortSignal,
): Promise<TriedPage[]> {
  const waiting = [...firstRequests(source, settings, options.query, tools.clock.now())];
  const pages: TriedPage[] = [];
  for (let request = waiting.shift(); request && pages.length < options.pages; request = waiting.shift()) {
    const page = await tryPage(tools, source, settings, request, options, signal);
    pages.push(page);
    waiting.push(...page.followUps);
  }
  return pages;
}

function firstRequests(
  source: Source,
  settings: ReadonlyMap<string, string>,
  query: string,
  now: Date,
): readonly FetchRequest[] {
  const context = { now, settings, watermark: undefined };
  if (source.requests) return source.requests(context);
  const terms = query.split(/\s+/).filter((word) => word !== '');
  const plan = { query, terms, phrases: [], kinds: [], countries: [], occurredAfter: undefined };
  return source.query?.(plan, context) ?? [];
}

async function tryPage(
  { fetcher }: Tools,
  source: Source,
  settings: ReadonlyMap<string, string>,
  request: FetchRequest,
  options: TryOptions,
  signal: AbortSignal,
): Promise<TriedPage> {
  const found: Found = { records: [], refusals: [], followUps: [], hasMore: false };
  const drift = new DriftWatch(source.fields);
  const received = { bytes: 0 };
  let document: Document | undefined;
  let exchange: Recording | undefined;
  let failure = '';
  try {
    const onBytes = (bytes: number) => {
      received.bytes += bytes;
    };
    const fetched = await fetcher.fetch({ source, request, settings, signal, onBytes });
    if (fetched === 'unchanged')
      throw new Error('the source answered that nothing had changed, and was not asked that');
    const recording = options.recordsExchanges
      ? recorded(fetched.document.body, secretsOf(source, settings))
      : undefined;
    document = { ...fetched.document, ...(recording && { body: recording.body }) };
    exchange = recording?.recording;
    await readPage(source, document, options.records, found, drift);
  } catch (error) {
    failure = (error as Error).message;
  }
  return { request, document, exchange, bytes: received.bytes, ...found, missingFields: drift.missing(), failure };
}

interface Found {
  readonly records: TriedRecord[];
  readonly refusals: Refusal[];
  readonly followUps: FetchRequest[];
  hasMore: boolean;
}

async function readPage(
  source: Source,
  document: Document,
  most: number,
  found: Found,
  drift: DriftWatch,
): Promise<void> {
  for await (const parsed of source.parse(document)) {
    if (parsed.type === 'refused') found.refusals.push(parsed.refusal);
    if (parsed.type === 'follow_up') found.followUps.push(parsed.request);
    if (parsed.type !== 'record') continue;
    if (found.records.length === most) {
      found.hasMore = true;
      return;
    }
    drift.observe(parsed.record.fields);
    found.records.push({ raw: parsed.record, read: readRecord(source, parsed.record, document.fetchedAt) });
  }
}

/** Values that stand in no exchange that is kept. */
function secretsOf(source: Source, settings: ReadonlyMap<string, string>): string[] {
  const names = (source.settings ?? []).filter(({ secret }) => secret).map(({ name }) => name);
  return names.flatMap((name) => settings.get(name) ?? []);
}
