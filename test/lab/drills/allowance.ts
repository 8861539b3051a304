import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { parseArgs } from 'node:util';

/**
 * Runs the allowance tests for longer: `npm run lab -- allowance [--seconds N] [--histories N]
 * [--seed TEXT]`.
 */
const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '120' },
    histories: { type: 'string', default: '1000' },
    seed: { type: 'string', default: '' },
  },
});
const root = path.resolve(import.meta.dirname, '../../..');
const vitest = path.join(root, 'node_modules/vitest/vitest.mjs');
const child = spawn(process.execPath, [vitest, 'run', 'test/allowance'], {
  cwd: root,
  env: {
    ...process.env,
    CES_TEST_NIGHTLY: '1',
    CES_ALLOWANCE_SECONDS: values.seconds,
    CES_ALLOWANCE_HISTORIES: values.histories,
    CES_ALLOWANCE_SEED: values.seed,
  },
  stdio: 'inherit',
});
const [code] = await once(child, 'exit');
process.exitCode = code ?? 1;
