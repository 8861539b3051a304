/** How long a model that has a part in the order may take. */
export interface ModelBounds {
  readonly signal: AbortSignal;
  /** What is left of the caller's deadline, in milliseconds. */
  readonly timeoutMs: number | undefined;
}

/** How like a query and observations are, by their vectors. */
export interface Likenesses {
  /** Vectors of different models are not comparable. */
  readonly model: string;
  /** -1..1 by the id of the observation; those without a vector are absent. */
  readonly cosines: ReadonlyMap<bigint, number>;
}

/** The likenesses of a query; undefined where no vector is available. */
export type FindLikenesses = (
  query: string,
  observationIds: readonly bigint[],
  bounds: ModelBounds,
) => Promise<Likenesses | undefined>;

/** Lets vectors order companies. */
export interface ByMeaning {
  readonly find: FindLikenesses;
  /** A cosine that is greater by 1 is worth a score by words that is e to this times higher. */
  readonly weight: number;
  readonly signal: AbortSignal;
}
