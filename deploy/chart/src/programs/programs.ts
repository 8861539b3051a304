import { execFile } from 'node:child_process';
import { access } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { REPOSITORY } from '@ces/topology/services';

const execute = promisify(execFile);
const CACHE = path.join(REPOSITORY, '.cache/go');
const OUTPUT_BYTES = 64 * 1024 * 1024;

const MODULES = {
  helm: ['helm.sh/helm/v4@v4.3.1', 'cmd/helm'],
  kubeconform: ['github.com/yannh/kubeconform@v0.8.0', 'cmd/kubeconform'],
  'helm-docs': ['github.com/norwoodj/helm-docs@v1.14.2', 'cmd/helm-docs'],
  'helm-values-schema-json': ['github.com/losisin/helm-values-schema-json/v2@v2.3.1', '.'],
  'helm-unittest': ['github.com/helm-unittest/helm-unittest@v1.1.2', 'cmd/helm-unittest'],
  promtool: ['github.com/prometheus/prometheus@v0.305.0', 'cmd/promtool'],
} as const;

type ProgramName = keyof typeof MODULES;

export async function run(program: string, parameters: readonly string[], cwd?: string): Promise<string> {
  try {
    return (await execute(program, [...parameters], { cwd, maxBuffer: OUTPUT_BYTES })).stdout;
  } catch (error) {
    const { stdout = '', stderr = '', message } = error as Error & { stdout?: string; stderr?: string };
    throw new Error(`${path.basename(program)} failed: ${stderr || stdout || message}`);
  }
}

export async function findProgram(name: ProgramName): Promise<string> {
  const [module, command] = MODULES[name];
  return await findGoProgram(name, module, command);
}

/** Finds a program of a Go module (`name@v1.2.3`); builds it when the cache lacks it. */
export async function findGoProgram(name: string, module: string, command: string): Promise<string> {
  const built = path.join(CACHE, name);
  if (await isThere(built)) return built;
  process.stderr.write(`building ${name} of ${module} …\n`);
  // `go install` refuses replace directives. `-trimpath` makes the build reproducible: a bundle
  // contains one.
  await build(await findModule(module), ['-trimpath', '-o', built, `./${command}`]);
  return built;
}

async function build(cwd: string, parameters: readonly string[]): Promise<void> {
  const env = { ...process.env, CGO_ENABLED: '0', GOWORK: 'off' };
  await execute('go', ['build', ...parameters], { cwd, env, maxBuffer: OUTPUT_BYTES });
}

export async function hasGo(): Promise<boolean> {
  return await execute('go', ['version']).then(
    () => true,
    () => false,
  );
}

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
