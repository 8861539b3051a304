import { randomBytes } from 'node:crypto';
import { inject } from 'vitest';

export interface EngineUnderTest extends AsyncDisposable {
  readonly environment: Readonly<Record<string, string>>;
}

/**
 * Settings of Postgres or, with CES_TEST_ENGINE=opensearch, of the run's server with a new index
 * prefix. The same tests therefore run on both engines. Throws if the run has no such server.
 * Disposal deletes the indexes of the prefix.
 */
export function engineUnderTest(): EngineUnderTest {
  if (process.env.CES_TEST_ENGINE !== 'opensearch')
    return { environment: {}, [Symbol.asyncDispose]: async () => undefined };
  const url = inject('openSearchUrl');
  if (url === '') throw new Error('CES_TEST_ENGINE=opensearch needs CES_TEST_OPENSEARCH_URL, or CES_TEST_OPENSEARCH=1');
  const prefix = `ces-test-${randomBytes(6).toString('hex')}-`;
  return {
    environment: {
      CES_SEARCH_ENGINE: 'opensearch',
      CES_SEARCH_OPENSEARCH_URL: url,
      CES_SEARCH_OPENSEARCH_PREFIX: prefix,
    },
    async [Symbol.asyncDispose]() {
      await fetch(`${url}/${prefix}*?ignore_unavailable=true`, { method: 'DELETE' });
    },
  };
}
