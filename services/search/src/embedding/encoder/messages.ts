export type Purpose = 'query' | 'passage';

export interface Batch {
  readonly texts: readonly string[];
  readonly purpose: Purpose;
}

/** `vectors` are concatenated. */
export type Answer = { readonly vectors: Float32Array } | { readonly failure: EncodeFailure };

/**
 * A failure means `platform`: onnxruntime-node has no build; `model`: a file cannot be loaded;
 * `texts`: encoding failed.
 */
export type EncodeFailure = 'platform' | 'model' | 'texts';

export const DIMENSIONS = 384;
