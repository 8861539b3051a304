/** Turns texts into vectors of one length, in order. */
export interface Embedder {
  /** Model and version: vectors of different names are not comparable. */
  readonly model: string;
  /** Within the signal's time; anything else than vectors is an EndpointFailure. */
  embed(texts: readonly string[], purpose: 'query' | 'passage', signal: AbortSignal): Promise<readonly Float32Array[]>;
}
