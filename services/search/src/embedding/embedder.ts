export interface Embedder {
  /** Names the model and its version. Vectors of different models are not comparable. */
  readonly model: string;
  /** Throws EndpointFailure, also when the signal aborts. */
  embed(texts: readonly string[], purpose: 'query' | 'passage', signal: AbortSignal): Promise<readonly Float32Array[]>;
}
