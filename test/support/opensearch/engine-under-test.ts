import { randomBytes } from 'node:crypto';
import { inject } from 'vitest';

/** Settings of the engine of search in this run; disposing of it drops what was made with them. */
export interface EngineUnderTest extends AsyncDisposable {
  readonly environment: Readonly<Record<string, string>>;
}

/**
 * Postgres, and with CES_TEST_ENGINE=opensearch the server of the run, each time under another prefix: so tests of whatever
 * searches run on either engine. Throws where that is asked for and no server is there.
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
