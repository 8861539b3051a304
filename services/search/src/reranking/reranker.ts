export interface Reranker {
  /**
   * Returns one finite number for each text, in their order, on any scale. Throws EndpointFailure.
   */
  rerank(query: string, texts: readonly string[], signal: AbortSignal): Promise<readonly number[]>;
}
