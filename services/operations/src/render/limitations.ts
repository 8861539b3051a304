/** What holds for every company and every look-up (gateway/docs/contract.md, Record and evidence). */
export const ALWAYS: readonly string[] = ['limited_source_coverage'];

/** Limitations as they are now: withheld evidence is named while it is withheld. */
export function limitationsNow(frozen: readonly string[], withheldUnits: number): string[] {
  return withheldUnits > 0 ? [...frozen, 'evidence_withdrawn'] : [...frozen];
}
