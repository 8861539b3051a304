/** A fault of one line, and the tests that must see it. */
export interface Mutant {
  readonly name: string;
  readonly file: string;
  /** Occurs in the file exactly once. */
  readonly find: string;
  readonly replace: string;
  readonly tests: readonly string[];
}
