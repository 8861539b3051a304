/** How a fact was obtained, by the value that says so (gateway/docs/contract.md, Record and evidence). */
const WAYS: readonly { readonly from: number; readonly way: string }[] = [
  { from: 0.9, way: 'from a registry or an official structured record' },
  { from: 0.8, way: 'from a structured feed' },
  { from: 0.7, way: 'from a text, matched by rule' },
  { from: 0, way: 'inferred' },
];

/** How a fact of this confidence was obtained; it is no probability and has no part in the order. */
export function wayOf(confidence: number): string {
  return WAYS.find(({ from }) => confidence >= from)?.way ?? 'inferred';
}
