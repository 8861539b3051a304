/** A model that reads query and passage together. */
export interface CrossEncoder {
  /** Names the model and its version. Scores of different models are not comparable. */
  readonly crossEncoder: string;
  /**
   * Returns for each passage, in their order, the log odds that it answers the query. The scores
   * are finite. Throws EndpointFailure, also when the signal aborts.
   */
  score(query: string, passages: readonly string[], signal: AbortSignal): Promise<readonly number[]>;
}
