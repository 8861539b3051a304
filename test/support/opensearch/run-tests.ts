import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { assembleOpenSearch, NotAssembled } from './assemble.ts';

const ROOT = path.resolve(import.meta.dirname, '../../..');
interface Pass {
  readonly paths: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

/**
 * The tests of every engine and of OpenSearch, then the whole product and the filter algebra on
 * OpenSearch.
 */
const PASSES: readonly Pass[] = [
  { paths: ['services/search/src/index', 'opensearch'], environment: {} },
  { paths: ['test/contract', 'test/flow'], environment: { CES_TEST_ENGINE: 'opensearch' } },
  { paths: ['test/corpus/filter-algebra'], environment: { CES_TEST_ENGINE: 'opensearch' } },
];
const TESTS_WITHIN_MS = 20 * 60_000;

process.exitCode = await main(process.argv.slice(2));

/**
 * `npm run test:opensearch [-- PATH…]`: assembles OpenSearch once and runs its tests. Reports and
 * exits with 0 if it cannot be assembled.
 */
async function main(paths: readonly string[]): Promise<number> {
  const reason = process.env.CES_TEST_OPENSEARCH_URL ? undefined : await whyNotAssembled();
  if (reason !== undefined) {
    process.stdout.write(
      `SKIPPED: the tests of OpenSearch did not run, since it cannot be assembled here: ${reason}.\n`,
    );
    return 0;
  }
  if (paths.length > 0) return await runTests({ paths, environment: {} });
  for (const pass of PASSES) {
    const code = await runTests(pass);
    if (code !== 0) return code;
  }
  return 0;
}

async function whyNotAssembled(): Promise<string | undefined> {
  try {
    await assembleOpenSearch();
    return undefined;
  } catch (error) {
    if (error instanceof NotAssembled) return error.message;
    throw error;
  }
}

async function runTests({ paths, environment }: Pass): Promise<number> {
  const vitest = path.join(ROOT, 'node_modules/vitest/vitest.mjs');
  const child = spawn(process.execPath, [vitest, 'run', ...paths], {
    cwd: ROOT,
    env: { ...process.env, CES_TEST_OPENSEARCH: '1', ...environment },
    stdio: 'inherit',
    timeout: TESTS_WITHIN_MS,
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal));
  const [code] = await once(child, 'exit');
  return code ?? 1;
}
