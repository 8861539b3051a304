/** Says how well each of several texts answers a query. */
export interface Reranker {
  /** One finite number a text, in their order, on a scale of its own; anything else is an EndpointFailure. */
  rerank(query: string, texts: readonly string[], signal: AbortSignal): Promise<readonly number[]>;
}
