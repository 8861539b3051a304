import path from 'node:path';
import { findOpenSearch } from './assemble.ts';
import { startOpenSearch } from './server.ts';

/** OpenSearch for the tests of a run; an empty address: none, and what needs it is skipped. */
export interface OpenSearchForTheRun extends AsyncDisposable {
  readonly url: string;
}

const ANSWER_WITHIN_MS = 5_000;
const UNAUTHORIZED = 401;

/**
 * The server that CES_TEST_OPENSEARCH_URL names; else, with CES_TEST_OPENSEARCH=1, a node of the assembled one, for this run. A run
 * that names neither pays nothing.
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

/** Tests that are told of a server must not find out one by one that it is gone. */
async function expectAnswer(url: string): Promise<void> {
  const response = await fetch(url, { signal: AbortSignal.timeout(ANSWER_WITHIN_MS) }).catch((error: Error) => error);
  /* Who asks here has no name. */
  if (response instanceof Error || !(response.ok || response.status === UNAUTHORIZED))
    throw new Error(`no OpenSearch answers at CES_TEST_OPENSEARCH_URL=${url}: start it, or unset the variable`);
}
