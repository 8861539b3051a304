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

/** Scores of a cross-encoder, which reads the query and a passage together. */
interface PassageScores {
  readonly model: string;
  /** The log odds that the observation answers the query, by observation id. */
  readonly logOdds: ReadonlyMap<bigint, number>;
}

/** Returns undefined if the cross-encoder is busy or fails. */
export type ScorePassages = (
  query: string,
  passages: readonly { readonly observationId: bigint; readonly companyId: bigint }[],
  bounds: ModelBounds,
) => Promise<PassageScores | undefined>;

export interface SemanticReordering {
  readonly find: FindSimilarities;
  /** An increase of the cosine by 1 multiplies the score by e to this power. */
  readonly weight: number;
  /** The cross-encoder reads the best observation of at most this many companies. */
  readonly reading?: { readonly score: ScorePassages; readonly companies: number } | undefined;
  readonly signal: AbortSignal;
  /** The time until the caller's deadline, in milliseconds. */
  readonly timeLeftMs: () => number | undefined;
}
