/** A source of evidence or of companies, as its licence asks to be named. */
export interface Source {
  readonly name: string;
  readonly publisher: string;
  readonly url?: string;
  readonly licence: string;
  readonly licence_url?: string;
  readonly attribution: string;
}

/** GET /sources. */
export interface SourceList {
  readonly sources: readonly Source[];
}
