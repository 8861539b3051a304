export type Purpose = 'query' | 'passage';

/** Texts to embed, or passages to score as answers to a query. */
export type Batch =
  | { readonly texts: readonly string[]; readonly purpose: Purpose }
  | { readonly texts: readonly string[]; readonly query: string };

/** `values` are the concatenated vectors of the texts, or one score for each. */
export type Answer = { readonly values: Float32Array } | { readonly failure: EncodeFailure };

/**
 * A failure means `platform`: onnxruntime-node has no build; `model`: a file cannot be loaded;
 * `texts`: encoding failed.
 */
export type EncodeFailure = 'platform' | 'model' | 'texts';

export const DIMENSIONS = 384;

/** The number of values that a batch gives for each text. */
export function widthOf(batch: Batch): number {
  return 'query' in batch ? 1 : DIMENSIONS;
}
