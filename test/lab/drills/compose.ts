import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { parseEnv } from 'node:util';
import { run } from '@ces/chart/programs/programs';
import { DATABASE_SERVICES, ownerDatabaseSetting, REPOSITORY } from '@ces/topology/services';

const PROJECT = process.env.COMPOSE_PROJECT_NAME ?? 'deploy';
const POSTGRES = `127.0.0.1:${process.env.CES_PUBLISHED_POSTGRES ?? '54329'}`;

process.exitCode = await main();

/**
 * Runs the interface tests against the stack of deploy/compose.yaml on this machine, and deletes
 * its record.
 */
async function main(): Promise<number> {
  const { CES_RPC_TOKEN: adminToken = '' } = await settingsIn('admin/settings.env');
  const env: Record<string, string> = {
    CES_TEST_GATEWAY_URL: `http://${process.env.CES_PUBLISH ?? '127.0.0.1:8080'}`,
    CES_TEST_ADMIN_TOKEN: adminToken,
  };
  for (const { name, port } of DATABASE_SERVICES) {
    const service = name.toUpperCase();
    env[`CES_TEST_${service}_URL`] = `http://127.0.0.1:${process.env[`CES_PUBLISHED_${service}`] ?? port}`;
    const owner = await settingsIn(`owners/${name}.env`);
    const url = new URL(owner[ownerDatabaseSetting(name)] ?? '');
    url.host = POSTGRES;
    env[`CES_TEST_${service}_OWNER_DATABASE_URL`] = url.href;
  }
  const vitest = path.join(REPOSITORY, 'node_modules/vitest/vitest.mjs');
  const parameters = [vitest, 'run', 'test/contract/', '--no-file-parallelism', ...process.argv.slice(2)];
  const child = spawn(process.execPath, parameters, {
    cwd: REPOSITORY,
    env: { ...process.env, ...env },
    stdio: 'inherit',
  });
  const [code] = await once(child, 'exit');
  return code ?? 1;
}

/** Reads a file of the `secrets` container, which has exited, but whose volumes exist. */
async function settingsIn(file: string): Promise<Readonly<Record<string, string | undefined>>> {
  const labels = [`project=${PROJECT}`, 'service=secrets', 'oneoff=False'];
  const filters = labels.flatMap((label) => ['--filter', `label=com.docker.compose.${label}`]);
  const [id = ''] = (await run('docker', ['ps', '--all', '--quiet', ...filters])).trim().split('\n');
  if (!id) throw new Error(`no stack of deploy/compose.yaml is there under the name ${PROJECT}: start one.`);
  const folder = await mkdtemp(path.join(os.tmpdir(), 'ces-drawn-'));
  try {
    await run('docker', ['cp', `${id}:/run/ces/${file}`, path.join(folder, 'file')]);
    return parseEnv(await readFile(path.join(folder, 'file'), 'utf8'));
  } finally {
    await rm(folder, { recursive: true });
  }
}
