import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { REPOSITORY } from '@ces/topology/services';

const EVERYTHING = ['ledger', 'operations', 'search', 'lookup', 'acquisition']
  .map((service) => `services/${service}/`)
  .concat(['contract', 'flow', 'allowance', 'reliability'].map((folder) => `test/${folder}/`));

process.exitCode = await main(process.argv.slice(2));

/**
 * Runs the tests of all services, or of those named, through PgBouncer in transaction mode (promise
 * R30).
 */
async function main(asked: readonly string[]): Promise<number> {
  const program = process.env.CES_TEST_POOLER ?? build();
  if (program === undefined) return 1;
  const vitest = path.join(REPOSITORY, 'node_modules/vitest/vitest.mjs');
  // Speed does not matter here.
  const limits = ['--testTimeout=180000', '--hookTimeout=180000'];
  const child = spawn(process.execPath, [vitest, 'run', ...(asked.length > 0 ? asked : EVERYTHING), ...limits], {
    cwd: REPOSITORY,
    env: { ...process.env, CES_TEST_NIGHTLY: '1', CES_TEST_POOLER: program },
    stdio: 'inherit',
  });
  const [code] = await once(child, 'exit');
  return code ?? 1;
}

/** The path of PgBouncer. Undefined if the build failed, which prints the reason. */
function build(): string | undefined {
  const { status, stdout } = spawnSync(path.join(REPOSITORY, 'test/lab/pooler/build'), {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return status === 0 ? stdout.trim() : undefined;
}
