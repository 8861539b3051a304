/** A fault in one place, and the tests that must see it. */
export interface Mutant {
  readonly name: string;
  readonly file: string;
  readonly change: Change;
  /** Files or folders of tests. */
  readonly tests: readonly string[];
}

/**
 * What stands once in a file, found in its syntax tree, and what takes its place; layout, line breaks and quotes are all the
 * same. An expression in which `$name` stands for any expression and `$$name`, last in a list, for all the rest: the
 * replacement may repeat them. Or words of SQL inside a string.
 */
export type Change =
  | { readonly expression: string; readonly becomes: string }
  | { readonly sql: string; readonly becomes: string };
