import { execFileSync } from 'node:child_process';
import path from 'node:path';
import type { Gateway } from './gateway.ts';
import { run } from './run.ts';

interface Bounds {
  /** Generated calls an operation and phase. */
  readonly examples: string;
  readonly seed: string;
}

/** What the schema of an input allows may still be refused, by rules that no schema says; see README.md. */
const EXCLUDED = 'positive_data_acceptance';

/** Lets schemathesis call every operation, rightly and wrongly, and hold the answers against the document. */
export async function callAsDescribed(gateway: Gateway, folder: string, { examples, seed }: Bounds): Promise<void> {
  if (!hasPython()) {
    console.log('schemathesis is left out: it needs Python 3.10 or newer with venv');
    return;
  }
  const bin = path.join(folder, 'venv', 'bin');
  console.log('installing schemathesis …');
  await run('python3', ['-m', 'venv', path.dirname(bin)]);
  await run(path.join(bin, 'pip'), ['install', '--quiet', '--disable-pip-version-check', '-r', 'requirements.txt']);
  console.log(`seed ${seed}: --seed ${seed} --examples ${examples} repeats it`);
  const options = ['--seed', seed, '--max-examples', examples, '--checks', 'all', '--exclude-checks', EXCLUDED];
  const quiet = ['--continue-on-failure', '--no-shrink', '--generation-database', 'none', '--warnings', 'off'];
  await run(
    path.join(bin, 'schemathesis'),
    ['--config-file', beside('schemathesis.toml'), 'run', `${gateway.url}/openapi.json`, ...options, ...quiet],
    { CES_OPENAPI_TOKEN: gateway.token, SCHEMATHESIS_HOOKS: beside('new_key.py'), PYTHONDONTWRITEBYTECODE: '1' },
    folder,
  );
}

const beside = (file: string) => path.join(import.meta.dirname, file);

function hasPython(): boolean {
  try {
    execFileSync('python3', ['-c', 'import sys, venv; sys.exit(sys.version_info < (3, 10))'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
