import type { TestStack } from '../stack.ts';
import type { Corpus } from './corpus.ts';

export interface Opened {
  readonly corpus: Corpus;
  readonly stack: TestStack;
  readonly hostnames: ReadonlyMap<number, readonly string[]>;
}
