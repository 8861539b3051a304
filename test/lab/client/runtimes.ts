import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { REPOSITORY } from '@ces/topology/services';
import { makeCheck, type Say } from '../interop/row.ts';
import { bundle } from './bundle.ts';
import type { FaultsSaw } from './faults.ts';
import { judgeFaults, startFaultyServer } from './faulty-server.ts';

const execute = promisify(execFile);
/** What is installed stays here for the next run. */
const CACHE = path.join(REPOSITORY, '.cache/client-runtimes');
const BUN = 'bun@1.4.5';
const DENO = 'deno@2.9.6';

/** Who calls, and where. */
export interface Subscriber {
  readonly gateway: string;
  readonly apiKey: string;
}

/** Something that runs JavaScript. */
export interface Runtime {
  readonly name: string;
  readonly needs: string;
  /** The command before the file, or undefined where it is not there. */
  find(): Promise<readonly string[] | undefined>;
}

export const RUNTIMES: readonly Runtime[] = [
  { name: 'node', needs: 'a Node outside of this tree on PATH', find: findOtherNode },
  { name: 'bun', needs: `${BUN} from the npm registry`, find: async () => await installed(BUN, 'bun', 'run') },
  {
    name: 'deno',
    needs: `${DENO} from the npm registry`,
    find: async () => await installed(DENO, 'deno', 'run', '--allow-env', '--allow-net'),
  },
];

/** Where a program is run, and for whom. */
export interface Place {
  readonly folder: string;
  /** Names of the examples of the README that stand there. */
  readonly examples: readonly string[];
  readonly subscriber: Subscriber;
}

/** Runs every example of the README, each as a program of its own, then a program that meets faults. */
export async function checkRuntime(say: Say, name: string, command: readonly string[], place: Place): Promise<void> {
  const { folder, examples, subscriber } = place;
  const known = { CES_GATEWAY_URL: subscriber.gateway, CES_TOKEN: subscriber.apiKey };
  for (const example of examples)
    await makeCheck(say, name, example, async () => await runFile(command, folder, `${example}.mjs`, known));
  await writeFile(path.join(folder, 'faults.mjs'), await bundle(folder, 'faults.ts'));
  await makeCheck(say, name, 'faults', async () => {
    await using server = await startFaultyServer();
    const printed = await runFile(command, folder, 'faults.mjs', { CES_FAULTY_SERVER: server.url });
    return judgeFaults(JSON.parse(printed) as FaultsSaw, server);
  });
}

/** What a file prints; throws when it fails or prints nothing. */
async function runFile(
  [program = '', ...parameters]: readonly string[],
  folder: string,
  file: string,
  environment: Readonly<Record<string, string>>,
): Promise<string> {
  const env = { PATH: process.env.PATH, HOME: folder, DENO_NO_UPDATE_CHECK: '1', ...environment };
  const { stdout } = await execute(program, [...parameters, file], { cwd: folder, env, timeout: RUN_TIMEOUT_MS });
  if (stdout === '') throw new Error('it printed nothing');
  return stdout;
}

const RUN_TIMEOUT_MS = 60_000;

/** The one of the machine, not the one that this tree brings. */
async function findOtherNode(): Promise<readonly string[] | undefined> {
  const folders = (process.env.PATH ?? '').split(path.delimiter).filter((folder) => !folder.includes('node_modules'));
  const { stdout } = await execute('sh', ['-c', 'command -v node'], {
    env: { PATH: folders.join(path.delimiter) },
  }).catch(() => ({ stdout: '' }));
  const program = stdout.trim();
  return program === '' ? undefined : [program];
}

/** A program that npm brings as a package, installed at its first use. */
async function installed(spec: string, name: string, ...parameters: string[]): Promise<readonly string[] | undefined> {
  const folder = path.join(CACHE, name);
  await mkdir(folder, { recursive: true });
  const options = ['--prefix', folder, '--no-save', '--no-audit', '--no-fund', '--loglevel=error'];
  // Their own scripts only choose the binary that npm has chosen already.
  return await execute('npm', ['install', spec, ...options]).then(
    () => [path.join(folder, 'node_modules/.bin', name), ...parameters],
    () => undefined,
  );
}
