import path from 'node:path';
import { findOpenSearch } from './assemble.ts';
import { startOpenSearch } from './server.ts';

/** The OpenSearch of a test run. Tests that need it are skipped if `url` is empty. */
export interface OpenSearchForTheRun extends AsyncDisposable {
  readonly url: string;
}

const ANSWER_WITHIN_MS = 5_000;
const UNAUTHORIZED = 401;

/**
 * Uses the server of CES_TEST_OPENSEARCH_URL, or starts an assembled node with
 * CES_TEST_OPENSEARCH=1. Starts nothing if neither is set.
 */
export async function openSearchForTheRun(directory: string): Promise<OpenSearchForTheRun> {
  const url = process.env.CES_TEST_OPENSEARCH_URL;
  if (url) {
    await expectAnswer(url);
    return { url, [Symbol.asyncDispose]: async () => undefined };
  }
  if (process.env.CES_TEST_OPENSEARCH === '1' && (await findOpenSearch()))
    return await startOpenSearch({ directory: path.join(directory, 'opensearch') });
  return { url: '', [Symbol.asyncDispose]: async () => undefined };
}

/** Fails once, before every test fails because the configured server is down. */
async function expectAnswer(url: string): Promise<void> {
  const response = await fetch(url, { signal: AbortSignal.timeout(ANSWER_WITHIN_MS) }).catch((error: Error) => error);
  /* This request has no credentials. */
  if (response instanceof Error || !(response.ok || response.status === UNAUTHORIZED))
    throw new Error(`no OpenSearch answers at CES_TEST_OPENSEARCH_URL=${url}: start it, or unset the variable`);
}
