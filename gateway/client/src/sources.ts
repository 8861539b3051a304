export interface Source {
  readonly name: string;
  readonly publisher: string;
  readonly url?: string;
  readonly licence: string;
  readonly licence_url?: string;
  readonly attribution: string;
}

/** The answer of GET /sources. */
export interface SourceList {
  readonly sources: readonly Source[];
}
