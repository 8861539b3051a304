import type { CountryName, KindName } from '@ces/proto/catalog';
import type { Mapped } from './mapped.ts';

/**
 * A connector: facts about a source and four pure functions. It never opens a connection, reads a
 * clock or writes anywhere. The service fetches, keeps raw records, schedules and records.
 *
 *   requests ─fetch─> Document ─parse─> RawRecord (kept)
 *     ─extract─> text (kept as a hash) ─map─> Mapped ─> lookup
 *
 * A source is one folder, `src/sources/<name>/`, and one line in `registry.ts`. The folder holds
 * `source.ts`, which exports one `Source`, and tests. Its README states politeness, terms and how
 * it was verified.
 */
export interface Source {
  /**
   * Name for `ces source run`, and part of every identity in lookup, so it never changes. Lower
   * case, digits, `_`.
   */
  readonly name: string;
  readonly title: string;
  readonly publisher?: string;
  readonly homepage: string;
  readonly licence: Licence;
  readonly kinds: readonly KindName[];
  /**
   * True if a document that the source published parses in a test. False: off until an operator
   * enables it.
   */
  readonly verified: boolean;
  /**
   * `scheduled` connectors run only by their schedule. `on_demand` ones also answer queries inside
   * a search.
   */
  readonly mode: 'scheduled' | 'on_demand';
  /** Hosts that may be fetched from, redirects included. `*.example.com` allows one more label. */
  readonly hosts: readonly string[];
  readonly politeness: Politeness;
  /** Absent: it runs only by hand. */
  readonly schedule?: Schedule;
  /**
   * Settings that an operator may or must set (`ces source set`). Secrets come from the
   * environment. The fetcher adds a setting named `contact` to User-Agent, for sources that require
   * a contact.
   */
  readonly settings?: readonly SourceSetting[];
  /** Fields of a raw record that the mapping reads. They define schema drift. */
  readonly fields: Fields;
  /** Increase it when `extract` returns another text for the same raw record. */
  readonly extractorVersion: number;
  /** Increase it if `map` changes the result for a raw record; its next occurrence then amends. */
  readonly mappingVersion: number;

  /** First requests of a scheduled run. Absent: it reads only files (`ces source ingest`). */
  readonly requests?: (context: RunContext) => readonly FetchRequest[];
  /**
   * Requests that answer a search; only for `on_demand` connectors. An empty list: nothing to ask.
   */
  readonly query?: (plan: SearchPlan, context: RunContext) => readonly FetchRequest[];
  /**
   * Streams the raw records of a document, at most `MAX_RECORD_BYTES` each. Only a small document
   * may be held as a whole.
   */
  readonly parse: (document: Document) => AsyncIterable<Parsed>;
  /**
   * Returns the text that excerpts quote. It uses only the raw content, so that it can be repeated
   * years later.
   */
  readonly extract: (content: string) => string;
  /** Returns what a raw record says. Calls `refuse(field, reason)` for anything that is missing. */
  readonly map: (raw: RawRecord, text: string) => readonly Mapped[];
}

export const MAX_RECORD_BYTES = 4 * 1024 * 1024;
/** Longest key of a record, in UTF-16 units. */
export const MAX_KEY_LENGTH = 400;

export interface Licence {
  readonly name: string;
  readonly uri: string;
  /** The sentence that the licence requires, or the source's name if it requires none. */
  readonly attribution: string;
}

interface Politeness {
  /** For each host, over all processes. robots.txt may lower it. */
  readonly requestsPerSecond: number;
  /** False only if the source documents an interface for programs; the README cites where. */
  readonly obeysRobots: boolean;
  /** Most requests of one run. The next run continues. */
  readonly maxRequestsPerRun: number;
  /** Most requests of a day (UTC), over all runs and searches. Absent: no bound. */
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
  /**
   * Only from `CES_SOURCE_SECRETS` (`<source>.<name>=value`). Never stored, logged or put into a
   * kept address.
   */
  readonly secret?: boolean;
  readonly required?: boolean;
}

export interface Fields {
  /** A record without one is refused. Schema drift if most records of a document lack it. */
  readonly required: readonly string[];
  /**
   * May be absent from a record. If at least 50 records all lack it, that is drift and the document
   * is not mapped.
   */
  readonly usual: readonly string[];
}

export interface RunContext {
  readonly now: Date;
  readonly settings: ReadonlyMap<string, string>;
  /** `newest` of the last run that ended well; undefined the first time. */
  readonly watermark: string | undefined;
}

export interface FetchRequest {
  readonly url: string;
  /** Facts that the answer does not repeat, such as the board. `parse` receives them. */
  readonly about?: Readonly<Record<string, string>>;
  /** True: the document never changes, so it is not fetched again after it was read to its end. */
  readonly once?: boolean;
  /** Largest body after decompression, in bytes; default 32 MiB. */
  readonly maxBytes?: number;
  /** Query parameters that are removed from every kept address and log, such as `api_key`. */
  readonly secretParameters?: readonly string[];
}

export interface Document {
  /** Address after redirects, without secret parameters; for a file its name. */
  readonly uri: string;
  readonly about: Readonly<Record<string, string>>;
  readonly contentType: string | undefined;
  readonly fetchedAt: Date;
  readonly settings: ReadonlyMap<string, string>;
  readonly body: AsyncIterable<Uint8Array>;
}

export type Parsed =
  | { readonly type: 'record'; readonly record: RawRecord }
  | { readonly type: 'refused'; readonly refusal: Refusal }
  /** Another document to fetch, such as the next page. Ignored for ingested files. */
  | { readonly type: 'follow_up'; readonly request: FetchRequest }
  /** Value for the next run's `watermark`; the last one counts. */
  | { readonly type: 'newest'; readonly watermark: string };

/** One record as published, without contact fields. It is stored, hashed and extracted from. */
export interface RawRecord {
  /**
   * The source's own key, stable over amendments: (source, key) is one observation forever. 1 to
   * 400 characters.
   */
  readonly key: string;
  readonly uri: string;
  /**
   * As published. Rows and JSON objects go through `keptContent`. It sorts members, so that
   * shuffled columns are the same record, and leaves out contacts.
   */
  readonly content: string;
  readonly fields: readonly string[];
}

export interface Refusal {
  /** Key of the record, or its position (`line 17`) if it has none. */
  readonly key: string;
  readonly field: string;
  readonly reason: string;
}

export interface SearchPlan {
  readonly query: string;
  /** Content words of the query, most discriminating first. */
  readonly terms: readonly string[];
  readonly phrases: readonly string[];
  readonly kinds: readonly KindName[];
  readonly countries: readonly CountryName[];
  readonly occurredAfter: Date | undefined;
}
