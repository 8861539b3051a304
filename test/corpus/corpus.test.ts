// @module-tag nightly
import { afterAll, beforeAll, describe } from 'vitest';
import { MISSING, openCorpus } from '../support/corpus/corpus.ts';
import { startCorpusStack } from '../support/corpus/corpus-stack.ts';
import type { Opened } from '../support/corpus/opened.ts';
import { describeAnswerSize } from './answer-size.ts';
import { describeMatching } from './matching-set.ts';
import { describeOperations } from './operations.ts';

const IMPORT_LIMIT_MS = 240_000;

if (MISSING) console.log(MISSING);

/** One stack for all tests, since the import takes most of the time. */
describe.skipIf(MISSING !== undefined)('on the real corpus', () => {
  const cleanup = new AsyncDisposableStack();
  let opened: Opened;
  beforeAll(async () => {
    const begun = performance.now();
    const corpus = cleanup.use(await openCorpus());
    const { stack, hostnames } = cleanup.use(await startCorpusStack(corpus));
    opened = { corpus, stack, hostnames };
    const seconds = ((performance.now() - begun) / 1000).toFixed(1);
    console.log(`${corpus.companies} companies and ${corpus.observations} observations imported in ${seconds} s`);
  }, IMPORT_LIMIT_MS);
  afterAll(() => cleanup.disposeAsync());

  describeMatching(() => opened);
  describeOperations(() => opened);
  describeAnswerSize(() => opened);
});
