export interface Source {
  readonly name: string;
  readonly publisher: string;
  readonly url?: string;
  readonly licence: string;
  readonly licence_url?: string;
  readonly attribution: string;
}

export interface SourceList {
  readonly sources: readonly Source[];
}
