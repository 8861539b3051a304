import type { KindName } from '@ces/proto/catalog';

/** How a headline says that something of a kind happened. Every expression reads one headline of bounded length. */
export interface KindRule {
  readonly kind: KindName;
  /** The words of the act; where they stand the actor ends and the object begins. */
  readonly act: RegExp;
  /** What the headline must name from the act on. */
  readonly object: RegExp;
  /** What it must not name from the act on: the same words with another meaning. */
  readonly notObject: RegExp;
  /** What it must not name anywhere. */
  readonly not: RegExp;
}
