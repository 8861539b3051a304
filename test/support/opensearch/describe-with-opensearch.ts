import { describe, inject } from 'vitest';

const isThere = inject('openSearchUrl') !== '';

// Once for a process: it loads this module once.
if (!isThere)
  process.stderr.write(
    'No OpenSearch for this run: its tests are skipped. npm run test:opensearch brings one and runs them.\n',
  );

/** `describe` for tests of OpenSearch at `inject('openSearchUrl')`; skipped, with a sentence, in a run without it. */
export const describeWithOpenSearch = describe.skipIf(!isThere);
