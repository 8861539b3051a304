import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chown, mkdtemp, open, readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { StartupError } from '@ces/chassis/service/lifecycle';
import { type Account, reachableDirectory } from '../processes/account.ts';
import type { Binaries } from './binaries.ts';

const UNFINISHED = 'unfinished-';

/** initdb writes under a temporary name, which a rename publishes. */
export async function openCluster(
  binaries: Binaries,
  dataDirectory: string,
  password: string,
  account: Account,
): Promise<string> {
  const directory = await reachableDirectory(dataDirectory, account);
  const cluster = path.join(directory, binaries.majorVersion);
  for (const entry of await readdir(directory))
    if (entry.startsWith(UNFINISHED)) await rm(path.join(directory, entry), { recursive: true, force: true });
  if (existsSync(cluster)) await checkComplete(cluster);
  else await makeCluster(binaries.initdb, cluster, password, account);
  return cluster;
}

async function checkComplete(cluster: string): Promise<void> {
  for (const file of ['PG_VERSION', 'global/pg_control', 'postgresql.conf'])
    if (!existsSync(path.join(cluster, file)))
      throw new StartupError(
        `${cluster} is not a complete database (no ${file}): put the file back, start with --fresh to create everything again, or name another directory in CES_DATA_DIR.`,
      );
}

async function makeCluster(initdb: string, cluster: string, password: string, account: Account): Promise<void> {
  const staging = await mkdtemp(path.join(path.dirname(cluster), UNFINISHED));
  try {
    const made = path.join(staging, 'cluster');
    const passwordFile = path.join(staging, 'password');
    const file = await open(passwordFile, 'wx', 0o600);
    await file.writeFile(password);
    await file.close();
    if (account.id) for (const owned of [staging, passwordFile]) await chown(owned, account.id.uid, account.id.gid);
    await run(initdb, initdbParameters(made, passwordFile), account);
    await rename(made, cluster);
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

function initdbParameters(directory: string, passwordFile: string): string[] {
  return [
    `--pgdata=${directory}`,
    '--username=postgres',
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--locale=C',
    '--no-instructions',
  ];
}

async function run(program: string, parameters: readonly string[], account: Account): Promise<void> {
  const child = spawn(program, parameters, { ...account.spawnAs, cwd: '/', stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += chunk;
    });
  const code = await new Promise<number | string | null>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('close', resolve);
  });
  if (code === 0) return;
  const reason = output.match(/(?:error|FATAL): *(.*)/)?.[1] ?? output.trim().split('\n').at(-1);
  throw new StartupError(
    `the database could not be made (initdb: ${reason || code}): check space and permissions, or name another directory in CES_DATA_DIR.`,
  );
}
