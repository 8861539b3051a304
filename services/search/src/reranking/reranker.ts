export interface Reranker {
  /** One finite number per text, in order, on any scale. Throws EndpointFailure. */
  rerank(query: string, texts: readonly string[], signal: AbortSignal): Promise<readonly number[]>;
}
