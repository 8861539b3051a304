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
  /** Part of every identity in lookup, so it never changes. Lower case, digits, `_`. */
  readonly name: string;
  readonly title: string;
  readonly publisher?: string;
  readonly homepage: string;
  readonly licence: Licence;
  readonly kinds: readonly KindName[];
  /** True if a published document parses in a test. False: off until an operator enables it. */
  readonly verified: boolean;
  /** `scheduled` runs only by its schedule; `on_demand` also answers queries inside a search. */
  readonly mode: 'scheduled' | 'on_demand';
  /** Hosts that may be fetched from, redirects included. `*.example.com` allows one more label. */
  readonly hosts: readonly string[];
  readonly politeness: Politeness;
  /** Absent: it runs only by hand. */
  readonly schedule?: Schedule;
  /**
   * Operators set these (`ces source set`); secrets come from the environment. The fetcher adds one
   * named `contact` to User-Agent.
   */
  readonly settings?: readonly SourceSetting[];
  /** Fields of a raw record that the mapping reads. They define schema drift. */
  readonly fields: Fields;
  /** Increase it when `extract` returns another text for the same raw record. */
  readonly extractorVersion: number;
  /** Increase it if `map` changes the result for a raw record; its next occurrence then amends. */
  readonly mappingVersion: number;

  /** Absent: it reads only files (`ces source ingest`). */
  readonly requests?: (context: RunContext) => readonly FetchRequest[];
  /** Only for `on_demand` connectors. An empty list: nothing to ask. */
  readonly query?: (plan: SearchPlan, context: RunContext) => readonly FetchRequest[];
  /** At most `MAX_RECORD_BYTES` a record. Only a small document may be held as a whole. */
  readonly parse: (document: Document) => AsyncIterable<Parsed>;
  /** The text that excerpts quote; uses only the raw content, so that it can be repeated later. */
  readonly extract: (content: string) => string;
  /** Calls `refuse(field, reason)` for anything that is missing. */
  readonly map: (raw: RawRecord, text: string) => readonly Mapped[];
}

export const MAX_RECORD_BYTES = 4 * 1024 * 1024;
/** In UTF-16 units. */
export const MAX_KEY_LENGTH = 400;

interface Licence {
  readonly name: string;
  readonly uri: string;
  /** The sentence that the licence requires, else the source's name. */
  readonly attribution: string;
}

interface Politeness {
  /** For each host, over all processes. robots.txt may lower it. */
  readonly requestsPerSecond: number;
  /** False only if the source documents an interface for programs; the README cites where. */
  readonly obeysRobots: boolean;
  readonly maxRequestsPerRun: number;
  /** A day (UTC), over all runs and searches. Absent: no bound. */
  readonly maxRequestsPerDay?: number;
}

export interface Schedule {
  readonly everyMinutes: number;
  /** Moves the start, so that nothing begins on the hour. */
  readonly jitterMinutes: number;
}

export interface SourceSetting {
  readonly name: string;
  readonly description: string;
  /** Only from `CES_SOURCE_SECRETS` (`<source>.<name>=value`). Never stored or logged. */
  readonly secret?: boolean;
  readonly required?: boolean;
}

export interface Fields {
  /** Schema drift if most records of a document lack it. */
  readonly required: readonly string[];
  /** May be absent. If at least 50 records all lack it, that is drift: nothing is mapped. */
  readonly usual: readonly string[];
}

export interface RunContext {
  readonly now: Date;
  readonly settings: ReadonlyMap<string, string>;
  /** `newest` of the last successful run; undefined the first time. */
  readonly watermark: string | undefined;
}

export interface FetchRequest {
  readonly url: string;
  /** Facts that the answer does not repeat, such as the board. */
  readonly about?: Readonly<Record<string, string>>;
  /** The document never changes, so it is not fetched again after it was read to its end. */
  readonly once?: boolean;
  readonly maxBytes?: number;
  /** Removed from every kept address and log, such as `api_key`. */
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
  | { readonly type: 'follow_up'; readonly request: FetchRequest }
  | { readonly type: 'newest'; readonly watermark: string };

export interface RawRecord {
  /** Stable over amendments: (source, key) is one observation forever. 1 to 400 characters. */
  readonly key: string;
  readonly uri: string;
  /**
   * As published. `keptContent` sorts members, so that shuffled columns are the same record, and
   * leaves out contacts.
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
  readonly terms: readonly string[];
  readonly phrases: readonly string[];
  readonly kinds: readonly KindName[];
  readonly countries: readonly CountryName[];
  readonly occurredAfter: Date | undefined;
}
