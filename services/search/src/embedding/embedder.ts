/** Turns texts into vectors of one length, in order. */
export interface Embedder {
  /** Within the signal's time; anything else than vectors is an EndpointFailure. */
  embed(texts: readonly string[], signal: AbortSignal): Promise<readonly Float32Array[]>;
}
