export interface ModelBounds {
  readonly signal: AbortSignal;
  /** The time until the caller's deadline, in milliseconds. */
  readonly timeoutMs: number | undefined;
}

export interface Similarities {
  readonly model: string;
  /** Cosines (-1..1) by observation id. Observations without a vector are absent. */
  readonly cosines: ReadonlyMap<bigint, number>;
}

/** Returns undefined if no vector is available. */
export type FindSimilarities = (
  query: string,
  observationIds: readonly bigint[],
  bounds: ModelBounds,
) => Promise<Similarities | undefined>;

export interface SemanticReordering {
  readonly find: FindSimilarities;
  /** An increase of the cosine by 1 multiplies the score by e to this power. */
  readonly weight: number;
  readonly signal: AbortSignal;
  /** The time until the caller's deadline, in milliseconds. */
  readonly timeLeftMs: () => number | undefined;
}
