export type Purpose = 'query' | 'passage';

export interface Batch {
  readonly texts: readonly string[];
  readonly purpose: Purpose;
}

export type Answer = { readonly vectors: Float32Array } | { readonly failure: EncodeFailure };

/** `platform`: no onnxruntime-node build; `model`: unreadable file; `texts`: encoding failed. */
export type EncodeFailure = 'platform' | 'model' | 'texts';

export const DIMENSIONS = 384;
