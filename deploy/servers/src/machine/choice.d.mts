/** A machine in Node's terms; `libc` is undefined outside Linux. */
export interface Machine {
  readonly platform: string;
  readonly arch: string;
  readonly libc: 'glibc' | 'musl' | undefined;
}

export interface Refusal {
  readonly use?: never;
  readonly name?: never;
  readonly fetch?: never;
  readonly sentence: string;
}

export type PackageChoice =
  | { readonly use: 'package'; readonly name: string; readonly sentence?: never }
  | { readonly use: 'own' | 'named'; readonly name?: never; readonly sentence?: never }
  | Refusal;

export interface NatsProgram {
  readonly file: string;
  readonly version: string;
}

/** The result of an attempt: a program, or the reason as part of a sentence. */
export type Fetched =
  | { readonly program: NatsProgram; readonly failure?: never }
  | { readonly program?: never; readonly failure: string };

export interface NatsFacts {
  readonly platform: string;
  readonly arch: string;
  readonly named?: string | undefined;
  readonly found?: NatsProgram | undefined;
  readonly kept?: NatsProgram | undefined;
  /** Absent: not tried yet. */
  readonly release?: Fetched | undefined;
  readonly debian?: Fetched | undefined;
}

export interface Archive {
  /** Name of the archive without its extension, and of the folder in it. */
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
export function isPatched(version: string): boolean;
