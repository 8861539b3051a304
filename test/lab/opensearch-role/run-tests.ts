import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import type { SecuredServer } from './secured-server.ts';

const execute = promisify(execFile);

const ROOT = path.resolve(import.meta.dirname, '../../..');
const VITEST = path.join(ROOT, 'node_modules/vitest/vitest.mjs');
const WITHIN_MS = 20 * 60_000;

export const ALL = ['services/search/src/index/contract', 'services/search/src/index/opensearch'];
/** A selection that still uses each action of the role. */
export const FEW = [
  'services/search/src/index/contract/rebuild.test.ts',
  'services/search/src/index/contract/scoring.test.ts',
  'services/search/src/index/opensearch/opensearch-index.test.ts',
  'services/search/src/index/opensearch/maintenance/maintain.test.ts',
  'services/search/src/index/opensearch/state/repair.test.ts',
];

interface Outcome {
  readonly passed: boolean;
  readonly output: string;
}

/** Runs tests with the product's role for the product and the administrator's for the tests. */
export async function runTestsAsProduct(server: SecuredServer, paths: readonly string[]): Promise<Outcome> {
  const { url, caFile, product, administrator } = server;
  const env = {
    ...process.env,
    CES_TEST_OPENSEARCH_URL: url,
    CES_TEST_OPENSEARCH_USER: product.user,
    CES_TEST_OPENSEARCH_ADMINISTRATOR: administrator.user,
    CES_TEST_OPENSEARCH_PASSWORD: product.password,
    CES_TEST_OPENSEARCH_CA_FILE: caFile,
    NODE_EXTRA_CA_CERTS: caFile,
    NO_COLOR: '1',
  };
  const options = { cwd: ROOT, env, timeout: WITHIN_MS, maxBuffer: 64 * 1024 ** 2 };
  /* Selects the OpenSearch tests of the contract for all engines. */
  const vitest = [
    VITEST,
    'run',
    '--no-file-parallelism',
    ...(paths === FEW ? ['--bail=1'] : []),
    ...paths,
    '--testNamePattern',
    'an index on OpenSearch|^(?!an index on )',
  ];
  try {
    const { stdout } = await execute(process.execPath, vitest, options);
    return { passed: true, output: stdout };
  } catch (error) {
    const { code, stdout = '', stderr = '' } = error as { code?: unknown; stdout?: string; stderr?: string };
    if (typeof code !== 'number') throw error;
    return { passed: false, output: `${stdout}\n${stderr}` };
  }
}
