/** A machine as Node names it; `libc` is undefined where there is only one. */
export interface Machine {
  readonly platform: string;
  readonly arch: string;
  readonly libc: 'glibc' | 'musl' | undefined;
}

/** What to do, in one sentence. */
export interface Refusal {
  readonly use?: never;
  readonly name?: never;
  readonly fetch?: never;
  readonly sentence: string;
}

/** A package of the machine by its name, or what is there without one. */
export type PackageChoice =
  | { readonly use: 'package'; readonly name: string; readonly sentence?: never }
  | { readonly use: 'own' | 'named'; readonly name?: never; readonly sentence?: never }
  | Refusal;

export interface NatsProgram {
  readonly file: string;
  /** As `2.15.0`. */
  readonly version: string;
}

/** What came of an attempt: a program, or why not, as a part of a sentence. */
export type Fetched =
  | { readonly program: NatsProgram; readonly failure?: never }
  | { readonly program?: never; readonly failure: string };

export interface NatsFacts {
  readonly platform: string;
  readonly arch: string;
  /** NATS_URL. */
  readonly named?: string | undefined;
  /** What PATH and the usual folders have. */
  readonly found?: NatsProgram | undefined;
  /** What an earlier start fetched. */
  readonly kept?: NatsProgram | undefined;
  /** Absent: not tried. */
  readonly release?: Fetched | undefined;
  readonly debian?: Fetched | undefined;
}

export interface Archive {
  /** Of the archive without its ending, and of the folder in it. */
  readonly name: string;
  readonly sha256: string;
}

export type NatsChoice =
  | { readonly use: string; readonly note?: string; readonly fetch?: never; readonly sentence?: never }
  | { readonly fetch: 'release'; readonly archive: Archive; readonly use?: never; readonly sentence?: never }
  | { readonly fetch: 'debian'; readonly use?: never; readonly sentence?: never }
  | Refusal;

export const NATS_RELEASE: { readonly version: string; readonly archives: Readonly<Record<string, Archive>> };
export function chooseNode(facts: Machine & { own: string; packageRuns?: boolean | undefined }): PackageChoice;
export function choosePostgres(facts: Machine & { named: boolean }): PackageChoice;
export function chooseNats(facts: NatsFacts): NatsChoice;
export function isMended(version: string): boolean;
