/** The part of `fetch` that the client needs. The global one fits, and so does a custom one. */
export type CesFetch = (url: string, init: CesFetchInit) => Promise<CesResponse>;

export interface CesFetchInit {
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body?: string;
  readonly redirect: 'manual';
  readonly signal: AbortSignal;
}

export interface CesHeaders {
  /** By a name in any case. */
  get(name: string): string | null;
}

export interface CesResponse {
  readonly status: number;
  /** `opaqueredirect` for a redirect that a browser does not show. */
  readonly type: string;
  readonly headers: CesHeaders;
  readonly body: CesBody | null;
}

export interface CesBody {
  getReader(): CesReader;
  cancel(): Promise<void>;
}

export interface CesReader {
  read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>;
  cancel(): Promise<void>;
}
