import { describe, inject } from 'vitest';

/**
 * `describe` for tests of OpenSearch at `inject('openSearchUrl')`; skipped in a run without it (`npm run test:opensearch`
 * brings one and runs them).
 */
export const describeWithOpenSearch = describe.skipIf(inject('openSearchUrl') === '');
