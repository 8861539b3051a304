/** How a fact was obtained, by confidence (gateway/docs/contract.md, Record and evidence). */
const WAYS: readonly { readonly from: number; readonly way: string }[] = [
  { from: 0.9, way: 'from a registry or an official structured record' },
  { from: 0.8, way: 'from a structured feed' },
  { from: 0.7, way: 'from a text, matched by rule' },
  { from: 0, way: 'inferred' },
];

/** Confidence is not a probability and does not affect the order. */
export function wayOf(confidence: number): string {
  return WAYS.find(({ from }) => confidence >= from)?.way ?? 'inferred';
}
