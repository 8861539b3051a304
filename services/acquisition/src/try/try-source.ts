import type { Clock } from '@ces/chassis/service/clock';
import type { Document, FetchRequest, RawRecord, Refusal, Source } from '../connector/source.ts';
import type { Fetcher } from '../fetch/fetcher.ts';
import { DriftWatch } from '../ingest/drift.ts';
import { type ReadRecord, readRecord } from '../ingest/read-record.ts';
import { type Recording, recorded } from './recorded-body.ts';

export interface TryOptions {
  readonly pages: number;
  readonly records: number;
  readonly query: string;
  readonly recordsExchanges: boolean;
}

export interface TriedPage {
  readonly request: FetchRequest;
  readonly document: Document | undefined;
  readonly bytes: number;
  /** Bytes after decompression; undefined unless `recordsExchanges` is set. */
  readonly exchange: Recording | undefined;
  readonly records: readonly TriedRecord[];
  readonly refusals: readonly Refusal[];
  readonly followUps: readonly FetchRequest[];
  readonly hasMore: boolean;
  readonly missingFields: readonly string[];
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

/** Keeps rate limits and the budget, and stores nothing. A failure is part of its page. */
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
  const traffic = { requests: 0, bytes: 0 };
  let document: Document | undefined;
  let exchange: Recording | undefined;
  let failure = '';
  try {
    const fetched = await fetcher.fetch({ source, request, settings, signal, traffic });
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
  return { request, document, exchange, bytes: traffic.bytes, ...found, missingFields: drift.missing(), failure };
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

function secretsOf(source: Source, settings: ReadonlyMap<string, string>): string[] {
  const names = (source.settings ?? []).filter(({ secret }) => secret).map(({ name }) => name);
  return names.flatMap((name) => settings.get(name) ?? []);
}
