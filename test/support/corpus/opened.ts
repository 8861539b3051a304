import type { TestStack } from '../stack.ts';
import type { Corpus } from './corpus.ts';

/** The corpus in a stack. */
export interface Opened {
  readonly corpus: Corpus;
  readonly stack: TestStack;
  /** Hostnames of a company by its id. */
  readonly hostnames: ReadonlyMap<number, readonly string[]>;
}
