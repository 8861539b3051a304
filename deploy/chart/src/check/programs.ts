import { execFile } from 'node:child_process';
import { access } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { REPOSITORY } from '@ces/local/services';

const execute = promisify(execFile);
const CACHE = path.join(REPOSITORY, '.cache/go');
const OUTPUT_BYTES = 64 * 1024 * 1024;

/** Programs of the check, each a Go module with its version. */
const MODULES = {
  helm: 'helm.sh/helm/v4/cmd/helm@v4.3.1',
  kubeconform: 'github.com/yannh/kubeconform/cmd/kubeconform@v0.8.0',
  promtool: 'github.com/prometheus/prometheus/cmd/promtool@v0.305.0',
} as const;

/** What a program printed; rejects with what it said when it failed. */
export async function run(program: string, parameters: readonly string[]): Promise<string> {
  try {
    const { stdout } = await execute(program, [...parameters], { maxBuffer: OUTPUT_BYTES });
    return stdout;
  } catch (error) {
    const { stdout = '', stderr = '', message } = error as Error & { stdout?: string; stderr?: string };
    throw new Error(`${path.basename(program)} failed: ${stderr || stdout || message}`);
  }
}

/** Where a program is: built before, or built now by Go. */
export async function findProgram(name: keyof typeof MODULES): Promise<string> {
  const built = path.join(CACHE, name);
  if (await isThere(built)) return built;
  process.stderr.write(`building ${MODULES[name]} …\n`);
  await execute('go', ['install', MODULES[name]], { env: { ...process.env, GOBIN: CACHE }, maxBuffer: OUTPUT_BYTES });
  return built;
}

/** The folder of a Go module's source. */
export async function findModule(module: string): Promise<string> {
  const { stdout } = await execute('go', ['mod', 'download', '-json', module], { cwd: '/', maxBuffer: OUTPUT_BYTES });
  return (JSON.parse(stdout) as { Dir: string }).Dir;
}

async function isThere(file: string): Promise<boolean> {
  return await access(file).then(
    () => true,
    () => false,
  );
}
