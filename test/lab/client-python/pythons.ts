import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { REPOSITORY } from '@ces/topology/services';

const execute = promisify(execFile);

export const CLIENT = path.join(REPOSITORY, 'gateway/client-python');
const NEWEST_MINOR = 15;
const OLDEST_MINOR = 11;
const LIMIT_MS = 10 * 60_000;

export interface Python {
  readonly program: string;
  readonly version: string;
}

/** A virtual environment. `run` starts one of its programs and rejects with what it printed. */
export interface Environment {
  readonly python: string;
  run(program: string, parameters: readonly string[], options?: RunOptions): Promise<{ readonly stdout: string }>;
  install(...requirements: readonly string[]): Promise<void>;
}

interface RunOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
}

export class NotInstalled extends Error {}

/** One of each version on the path or of pyenv, newest first. */
export async function findPythons(): Promise<readonly Python[]> {
  const minors = Array.from({ length: NEWEST_MINOR - OLDEST_MINOR + 1 }, (_, at) => NEWEST_MINOR - at);
  const found = new Map<string, Python>();
  for (const name of [...minors.map((minor) => `python3.${minor}`), 'python3', ...(await pyenvPythons())]) {
    const python = await findPython(name);
    if (python && !found.has(python.version)) found.set(python.version, python);
  }
  return [...found.values()].sort((a, b) => b.version.localeCompare(a.version, 'en', { numeric: true }));
}

/** pyenv puts only its selected versions on the path. */
async function pyenvPythons(): Promise<readonly string[]> {
  const root = process.env.PYENV_ROOT ?? path.join(os.homedir(), '.pyenv');
  const versions = await readdir(path.join(root, 'versions')).catch(() => []);
  return versions.map((version) => path.join(root, 'versions', version, 'bin/python3'));
}

async function findPython(name: string): Promise<Python | undefined> {
  const ask = 'import ensurepip, sys, venv; print(sys.version_info.minor, sys.executable)';
  const printed = await execute(name, ['-c', ask]).then(
    ({ stdout }) => stdout.trim(),
    () => undefined,
  );
  const [minor = '', program = ''] = printed?.split(' ') ?? [];
  return Number(minor) >= OLDEST_MINOR ? { program, version: `3.${minor}` } : undefined;
}

/** Throws NotInstalled when a requirement cannot be installed. */
export async function makeEnvironment(
  { program }: Python,
  folder: string,
  requirements: readonly string[],
): Promise<Environment> {
  await execute(program, ['-m', 'venv', folder]);
  const run: Environment['run'] = async (name, parameters, { cwd = folder, env, input } = {}) => {
    const running = execute(path.join(folder, 'bin', name), [...parameters], {
      cwd,
      env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1', ...env },
      timeout: LIMIT_MS,
      maxBuffer: 2 ** 26,
    });
    running.child.stdin?.end(input);
    return await running.catch((error) => {
      throw new Error(`${name} ${parameters[0] ?? ''}: ${error.stdout}${error.stderr}`, { cause: error });
    });
  };
  const install: Environment['install'] = async (...all) => {
    const parameters = ['install', '--quiet', '--disable-pip-version-check', ...all];
    await run('pip', parameters, { cwd: CLIENT }).catch((error: Error) => {
      throw new NotInstalled(`pip cannot install ${all.join(' ')}: ${lastLine(error.message)}`);
    });
  };
  await install(...requirements);
  return { python: path.join(folder, 'bin/python'), run, install };
}

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1) ?? '';
}
