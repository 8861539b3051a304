import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { assembleOpenSearch, NotAssembled } from './assemble.ts';

const ROOT = path.resolve(import.meta.dirname, '../../..');
/** Parts of the paths of tests that need a server: what every engine must do, and whatever is named after this one. */
const TESTS = ['services/search/src/index', 'opensearch'];
const TESTS_WITHIN_MS = 20 * 60_000;

process.exitCode = await main(process.argv.slice(2));

/** `npm run test:opensearch [-- PATH…]`: assembles OpenSearch once and runs its tests; where that cannot be had, says so and is content. */
async function main(paths: readonly string[]): Promise<number> {
  const reason = process.env.CES_TEST_OPENSEARCH_URL ? undefined : await whyNotAssembled();
  if (reason !== undefined) {
    process.stdout.write(
      `SKIPPED: the tests of OpenSearch did not run, since it cannot be assembled here: ${reason}.\n`,
    );
    return 0;
  }
  return await runTests(paths.length > 0 ? paths : TESTS);
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

async function runTests(paths: readonly string[]): Promise<number> {
  const vitest = path.join(ROOT, 'node_modules/vitest/vitest.mjs');
  const child = spawn(process.execPath, [vitest, 'run', ...paths], {
    cwd: ROOT,
    env: { ...process.env, CES_TEST_OPENSEARCH: '1' },
    stdio: 'inherit',
    timeout: TESTS_WITHIN_MS,
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal));
  const [code] = await once(child, 'exit');
  return code ?? 1;
}
