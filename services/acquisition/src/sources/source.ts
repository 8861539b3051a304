import type { CountryName, KindName } from '@ces/proto/catalog';
import type { Mapped } from './mapped.ts';

/**
 * What a connector is: facts about a source and four pure functions. It never opens a connection, reads a clock or writes
 * anywhere; the frame fetches, keeps the raw records, cuts batches, counts, resumes, schedules and records.
 *
 *   requests ─fetch─> Document ─parse─> RawRecord (kept) ─extract─> text (kept as a hash) ─map─> Mapped ─> the record
 *
 * One folder a source, `src/sources/<name>/`, with `source.ts` exporting one `Source`, a README (politeness, terms, how it
 * was verified) and its tests; one line in `registry.ts`.
 */
export interface Source {
  /** `ces source run NAME`, and the first part of every identity in the record: never changes. Lower case, digits, `_`. */
  readonly name: string;
  readonly title: string;
  /** Who publishes it; default: its title. */
  readonly publisher?: string;
  /** Where a person reads about it. */
  readonly homepage: string;
  readonly licence: Licence;
  /** What its observations can be. */
  readonly kinds: readonly KindName[];
  /** True: a document that the source itself published parses in a test. False: off until an operator enables it. */
  readonly verified: boolean;
  /** `scheduled` connectors run by their schedule alone; `on_demand` ones can also answer a query inside a search. */
  readonly mode: 'scheduled' | 'on_demand';
  /** Hosts it may be fetched from, redirects included; `*.example.com` allows one more label. */
  readonly hosts: readonly string[];
  readonly politeness: Politeness;
  /** Absent: runs only by hand. */
  readonly schedule?: Schedule;
  /**
   * What an operator may or must set (`ces source set`); secrets come from the environment. The fetcher adds one that
   * is called `contact` to `User-Agent`, for sources that demand to know whom to write to.
   */
  readonly settings?: readonly SourceSetting[];
  /** The fields of a raw record that the mapping reads; they decide what is schema drift. */
  readonly fields: Fields;
  /** Counted up whenever `extract` gives another text for the same raw record. */
  readonly extractorVersion: number;
  /** Counted up whenever `map` gives another result for the same raw record; the next occurrence then amends. */
  readonly mappingVersion: number;

  /** The first requests of a scheduled run; absent: it is only ever given files (`ces source ingest`). */
  readonly requests?: (context: RunContext) => readonly FetchRequest[];
  /** The requests that answer a search; only of `on_demand` connectors. An empty list: nothing to ask this source. */
  readonly query?: (plan: SearchPlan, context: RunContext) => readonly FetchRequest[];
  /** Cuts a document into raw records as they stream by; at most `MAX_RECORD_BYTES` each, the document never as a whole unless small. */
  readonly parse: (document: Document) => AsyncIterable<Parsed>;
  /** The text of which excerpts are passages; from the raw content alone, so that it can be done again years later. */
  readonly extract: (content: string) => string;
  /** What a raw record says. Throws by `refuse(field, reason)` what it should say and does not. */
  readonly map: (raw: RawRecord, text: string) => readonly Mapped[];
}

export const MAX_RECORD_BYTES = 4 * 1024 * 1024;

/** The terms under which a source publishes; shown at `/sources` and kept beside what it brought. */
export interface Licence {
  readonly name: string;
  readonly uri: string;
  /** The sentence the licence asks for, or the source's name where it asks for none. */
  readonly attribution: string;
}

interface Politeness {
  /** Over all processes, a host. robots.txt may ask for less. */
  readonly requestsPerSecond: number;
  /** False only where the source itself documents the address as an interface for programs; its README says where. */
  readonly obeysRobots: boolean;
  /** Requests of one run at most; what is left waits for the next. */
  readonly maxRequestsPerRun: number;
  /** Over all runs and searches of a day (UTC); absent: no such bound. */
  readonly maxRequestsPerDay?: number;
}

export interface Schedule {
  readonly everyMinutes: number;
  /** The start moves by up to this many minutes, so that nothing begins on the hour. */
  readonly jitterMinutes: number;
}

export interface SourceSetting {
  readonly name: string;
  readonly description: string;
  /** From `CES_SOURCE_SECRETS` (`<source>.<name>=value`) alone; never stored, logged or put into a kept address. */
  readonly secret?: boolean;
  readonly required?: boolean;
}

/** Names as `RawRecord.fields` gives them. */
export interface Fields {
  /** A record without it is refused by its name; missing in most records of a document it is schema drift. */
  readonly required: readonly string[];
  /** May be absent in one record; absent in all of at least 50, it is drift and nothing of the document is mapped. */
  readonly usual: readonly string[];
}

/** What `requests` and `query` may know. */
export interface RunContext {
  readonly now: Date;
  /** By name; secrets included. */
  readonly settings: ReadonlyMap<string, string>;
  /** `newest` of the last run that ended well; undefined the first time. */
  readonly watermark: string | undefined;
}

export interface FetchRequest {
  readonly url: string;
  /** What the answer is, when a source has several forms of documents; handed to `parse`. */
  readonly purpose?: string;
  /** Facts that the answer does not repeat (the board, the filing's address); handed to `parse`. */
  readonly about?: Readonly<Record<string, string>>;
  /** True: never changes once published, so it is not fetched again when it was read to its end. */
  readonly once?: boolean;
  /** A POST with this JSON text; absent: GET. */
  readonly body?: string;
  /** Largest body after decompression, in bytes; default 32 MiB. */
  readonly maxBytes?: number;
  /** Query parameters that are left out of every kept address and log, such as `api_key`. */
  readonly secretParameters?: readonly string[];
}

/** A fetched answer or an ingested file, decompressed. */
export interface Document {
  /** Where it was fetched from after redirects, without secret parameters; for a file its name. */
  readonly uri: string;
  readonly purpose: string | undefined;
  readonly about: Readonly<Record<string, string>>;
  /** `Content-Type` as received; undefined for a file. */
  readonly contentType: string | undefined;
  readonly fetchedAt: Date;
  readonly settings: ReadonlyMap<string, string>;
  /** Can be read once. */
  readonly body: AsyncIterable<Uint8Array>;
}

/** One thing that `parse` finds in a document. */
export type Parsed =
  | { readonly type: 'record'; readonly record: RawRecord }
  | { readonly type: 'refused'; readonly refusal: Refusal }
  /** Another document to fetch: the next page, a filing behind a feed's entry. Ignored for ingested files. */
  | { readonly type: 'follow_up'; readonly request: FetchRequest }
  /** A value to remember for the next run's `watermark`; the last one counts. */
  | { readonly type: 'newest'; readonly watermark: string };

/** One record as the source published it, without contact fields; what is kept, hashed and extracted from. */
export interface RawRecord {
  /** The source's own key, stable over amendments: (source, key) is one observation for ever. 1..400 characters. */
  readonly key: string;
  /** The page where a person reads it, http or https; else the address of the document. */
  readonly uri: string;
  /**
   * As published. Rows and JSON objects go through `keptContent`, which sorts the members, leaves contact fields out and marks
   * where a contact stood, so that shuffled columns are the same record.
   */
  readonly content: string;
  /** Names of the fields that this record carries, for schema drift. */
  readonly fields: readonly string[];
}

/** Why one record is not recorded; `field` is the source's name of the field. */
export interface Refusal {
  /** Of the record, or where it stands (`line 17`) when it has none. */
  readonly key: string;
  readonly field: string;
  readonly reason: string;
}

/** What a search asks an `on_demand` connector: the frozen plan's words and filters. */
export interface SearchPlan {
  readonly query: string;
  /** Content words of the query, most discriminating first. */
  readonly terms: readonly string[];
  readonly phrases: readonly string[];
  readonly kinds: readonly KindName[];
  /** Empty: both. */
  readonly countries: readonly CountryName[];
  readonly occurredAfter: Date | undefined;
}
