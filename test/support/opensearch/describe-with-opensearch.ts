import { describe, inject } from 'vitest';

/**
 * `describe` for tests that use `inject('openSearchUrl')`. Skips them if a run has no server. `npm
 * run test:opensearch` assembles a server and runs them.
 */
export const describeWithOpenSearch = describe.skipIf(inject('openSearchUrl') === '');
