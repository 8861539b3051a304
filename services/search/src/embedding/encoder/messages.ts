/** The model was trained on both, each with a prefix of its own. */
export type Purpose = 'query' | 'passage';

/** One message to the encoder's process. */
export interface Batch {
  readonly texts: readonly string[];
  readonly purpose: Purpose;
}

/** The answer to a batch: its vectors, concatenated, or why there are none. */
export type Answer = { readonly vectors: Float32Array } | { readonly failure: EncodeFailure };

/** `platform`: onnxruntime-node has no build for it; `model`: a file cannot be loaded; `texts`: encoding these failed. */
export type EncodeFailure = 'platform' | 'model' | 'texts';

/** Length of a vector. */
export const DIMENSIONS = 384;
