import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { findGoProgram, run } from '@ces/chart/check/programs';
import type { Registry } from '@ces/image/publish/tools';
import { freePort } from '@ces/servers/ports';

const MODULE = 'github.com/distribution/distribution/v3@v3.1.0';
const START_LIMIT_MS = 30_000;

/** Who may ask a registry. */
export interface Login {
  readonly user: string;
  readonly password: string;
}

/** CNCF Distribution, which most registries are made of, on the loopback address, for one user alone where there is one. */
export async function startDistribution(folder: string, login?: Login): Promise<Registry> {
  const program = await findGoProgram('registry', MODULE, 'cmd/registry');
  const host = `127.0.0.1:${await freePort(0)}`;
  await mkdir(folder, { recursive: true });
  const configuration = path.join(folder, 'registry.json');
  const auth = login && { auth: { htpasswd: { realm: 'lab', path: await writePassword(folder, login) } } };
  const storage = { filesystem: { rootdirectory: path.join(folder, 'storage') } };
  const settings = {
    version: '0.1',
    storage,
    http: { addr: host, secret: 'of the lab alone' },
    log: { level: 'error' },
  };
  await writeFile(configuration, JSON.stringify({ ...settings, ...auth }));
  const env = { ...process.env, OTEL_TRACES_EXPORTER: 'none' };
  const child = spawn(program, ['serve', configuration], { env, stdio: 'ignore' });
  const exit = once(child, 'exit');
  const registry = {
    host,
    async [Symbol.asyncDispose]() {
      child.kill();
      await exit;
    },
  };
  await answered(host);
  return registry;
}

/** The file of the login for docker and all that read its settings; its folder is what DOCKER_CONFIG names. */
export async function writeLogin(folder: string, host: string, { user, password }: Login): Promise<void> {
  await mkdir(folder, { recursive: true });
  const auth = Buffer.from(`${user}:${password}`).toString('base64');
  await writeFile(path.join(folder, 'config.json'), JSON.stringify({ auths: { [host]: { auth } } }), { mode: 0o600 });
}

/** As htpasswd writes it: perl is on every Debian, and its crypt knows bcrypt. */
async function writePassword(folder: string, { user, password }: Login): Promise<string> {
  const script = 'print crypt($ENV{LAB_PASSWORD}, q($2y$05$) . "abcdefghijklmnopqrstuu")';
  const hash = await run('env', [`LAB_PASSWORD=${password}`, 'perl', '-e', script]);
  const file = path.join(folder, 'htpasswd');
  await writeFile(file, `${user}:${hash}\n`);
  return file;
}

async function answered(host: string): Promise<void> {
  const deadline = Date.now() + START_LIMIT_MS;
  for (;;) {
    const there = await fetch(`http://${host}/v2/`).then(
      () => true,
      () => false,
    );
    if (there) return;
    if (Date.now() > deadline) throw new Error('the registry did not answer');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
