/** gateway/docs/contract.md, Record and evidence. */
export const CONSTANT_LIMITATIONS: readonly string[] = ['limited_source_coverage'];

export function currentLimitations(frozen: readonly string[], withheldUnits: number): string[] {
  return withheldUnits > 0 ? [...frozen, 'evidence_withdrawn'] : [...frozen];
}
