import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, chmod, cp, mkdir, readFile, readlink, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { isThere, run } from '@ces/chart/check/programs';
import { REPOSITORY } from '@ces/topology/services';
import pg from 'pg';
import { findEmulator } from './emulator.ts';
import { faultIf, inFolder, report, say } from './trial.ts';

/** Debian's, beside what Node needs: a shell with programs, and the broker. */
const PACKAGES = ['busybox-static', 'nats-server'];
/** Of the shell's programs those that a start runs. */
const APPLETS = ['sh', 'ps', 'tar'];
/** What `npm start` makes itself, taken along from here: emulation would add minutes and show nothing of a server. */
const MADE = ['proto/gen', 'gateway/explorer/dist'];
const DATA = 'var/tmp/data';
const READY_WITHIN_MS = 30 * 60_000;
const STOPPED_WITHIN_MS = 120_000;
/** Limits of calls are those of a real machine, which an emulated one meets only when the machine under it is not busy. */
const ATTEMPTS = 3;

interface Ready {
  readonly base_url: string;
  readonly credentials: Readonly<Record<string, string>>;
  readonly databases: Readonly<Record<string, string>>;
  readonly nats_url: string;
  readonly pids: Readonly<Record<string, number>>;
}

process.exitCode = await main();

/** `npm start` for Linux arm64 under emulation, with the packages that npm has for it, until it answers a search; 1 on a fault. */
async function main(): Promise<number> {
  const lacking = await lackingThing();
  if (lacking !== undefined) {
    process.stderr.write(`${lacking}\n`);
    return 2;
  }
  return await inFolder('ces-arm64-', async (folder) => {
    await chmod(folder, 0o755);
    const emulator = await findEmulator('qemu-aarch64-static');
    const root = await makeRoot(path.join(folder, 'root'));
    const tree = await makeTree(path.join(folder, 'tree'));
    for (let left = ATTEMPTS - 1; !(await tryStart(emulator, root, tree, left === 0)); left -= 1)
      say('it is tried again over what was made and compiled');
  });
}

async function lackingThing(): Promise<string | undefined> {
  if (process.platform !== 'linux' || process.arch !== 'x64') return 'Emulation of arm64 is tried on Linux x64 alone.';
  if (process.getuid?.() !== 0) return 'A root of another architecture is entered by root, who does not run this.';
  if (!(await isThere('/usr/bin/apt-get'))) return 'Libraries for arm64 come from Debian, whose apt-get is not here.';
  const kernel = await readFile('/proc/filesystems', 'utf8');
  return kernel.includes('binfmt_misc') ? undefined : 'The kernel has no binfmt_misc, by which it finds an emulator.';
}

async function makeRoot(root: string): Promise<string> {
  await run(path.join(REPOSITORY, 'deploy/image/assemble-base.sh'), ['arm64', root, ...PACKAGES]);
  for (const folder of ['proc', 'dev', 'product', 'usr/bin', 'var/tmp'])
    await mkdir(path.join(root, folder), { recursive: true });
  await chmod(path.join(root, 'var/tmp'), 0o1777);
  for (const name of APPLETS) await symlink('/bin/busybox', path.join(root, 'bin', name));
  await symlink('/nodejs/bin/node', path.join(root, 'usr/bin/node'));
  await appendFile(path.join(root, 'etc/passwd'), 'root:x:0:0::/tmp:/bin/sh\nnobody:x:65534:65534::/tmp:/bin/sh\n');
  await writeFile(path.join(root, 'etc/hosts'), '127.0.0.1 localhost\n');
  return root;
}

/** What is committed, with the packages that `npm ci` installs for arm64. */
async function makeTree(tree: string): Promise<string> {
  await mkdir(tree);
  await run('git', ['-C', REPOSITORY, 'archive', '--output', `${tree}.tar`, 'HEAD']);
  await run('tar', ['--extract', '--file', `${tree}.tar`, '--directory', tree]);
  const options = ['--os=linux', '--cpu=arm64', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  await run('npm', ['ci', '--prefix', tree, ...options]);
  for (const folder of MADE) await cp(path.join(REPOSITORY, folder), path.join(tree, folder), { recursive: true });
  await mkdir(path.join(tree, '.cache'));
  const found = await run('find', [
    path.join(tree, 'node_modules'),
    '-name',
    '*.node',
    '-o',
    '-name',
    'postgres',
    '-type',
    'f',
  ]);
  say(
    `packages for arm64 are installed, ${found.trim().split('\n').length} programs and libraries of its own among them`,
  );
  return tree;
}

/** False where it did not become ready, and may yet. */
async function tryStart(emulator: string, root: string, tree: string, last: boolean): Promise<boolean> {
  const begun = performance.now();
  const command = ['/usr/bin/node', '/product/deploy/local/bin/run.mjs', 'start', '--port', '0'];
  const stack = await enter([emulator, root, tree, ...command]);
  const output: string[] = [];
  for (const stream of [stack.stdout, stack.stderr])
    stream?.on('data', (chunk: Buffer) => output.push(chunk.toString()));
  const exit = once(stack, 'exit');
  try {
    const ready = await untilReady(path.join(root, DATA, 'ready.json'), stack);
    say(`ready after ${Math.round((performance.now() - begun) / 1000)} s`);
    await checkPrograms(ready, root);
    await checkAnswers(ready);
  } catch (error) {
    const reason = `${(error as Error).message}: ${output.join('').trim().split('\n').at(-1)}`;
    if (!last) {
      say(reason);
      return false;
    }
    report('the stack starts', [reason]);
  } finally {
    stack.stdin?.end('\n');
    const timer = setTimeout(() => stack.kill('SIGKILL'), STOPPED_WITHIN_MS);
    await exit;
    clearTimeout(timer);
  }
  report('it was told of an old nats-server', faultIf(!output.join('').includes('has known holes'), output.join('')));
  return true;
}

/** In namespaces of users, mounts and processes: what is told to the kernel there, nobody else sees, and all of it ends together. */
async function enter(parameters: readonly string[]): Promise<ChildProcess> {
  const options = ['--user', '--keep-caps', '--mount', '--pid', '--fork', '--kill-child'];
  const script = path.join(import.meta.dirname, 'enter-arm64.sh');
  const child = spawn('unshare', [...options, 'sh', script, ...parameters], { stdio: 'pipe' });
  await once(child, 'spawn');
  const own = await readlink('/proc/self/ns/user');
  while ((await readlink(`/proc/${child.pid}/ns/user`)) === own) await pause(10);
  for (const map of ['uid_map', 'gid_map']) await writeFile(`/proc/${child.pid}/${map}`, '0 0 65536\n');
  child.stdin?.write('\n');
  return child;
}

async function untilReady(file: string, stack: ChildProcess): Promise<Ready> {
  const deadline = performance.now() + READY_WITHIN_MS;
  for (;;) {
    if (await isThere(file)) return JSON.parse(await readFile(file, 'utf8'));
    if (stack.exitCode !== null || performance.now() > deadline) throw new Error('it did not become ready');
    await pause(500);
  }
}

/** Every process is a program for arm64: what runs it is the emulator, with the program behind it. */
async function checkPrograms({ pids }: Ready, root: string): Promise<void> {
  const list = await run('ps', ['-eo', 'args']);
  const emulated = list.split('\n').filter((line) => line.includes('qemu-aarch64'));
  const programs = ['/product/node_modules/.bin/node', 'linux-arm64/native/bin/postgres', 'nats-server'];
  for (const program of programs)
    report(`${program} runs emulated`, faultIf(!emulated.some((line) => line.includes(program)), emulated.join('\n')));
  report(`${Object.keys(pids).length} processes are up`, faultIf(Object.keys(pids).length !== 9, JSON.stringify(pids)));
  const node = await run('file', ['--brief', path.join(root, 'nodejs/bin/node')]).catch(() => 'aarch64, not looked at');
  report(`Node: ${node.trim().slice(0, 60)}`, faultIf(!node.includes('aarch64'), node));
}

async function checkAnswers({ base_url, credentials, databases, nats_url }: Ready): Promise<void> {
  const client = new pg.Client({ connectionString: databases.lookup ?? '' });
  await client.connect();
  const { rows } = await client.query<{ version: string }>('select version()');
  await client.end();
  const version = rows[0]?.version ?? '';
  report(`Postgres says: ${version}`, faultIf(!version.includes('aarch64'), 'not aarch64'));
  report(`NATS listens at ${nats_url}`, faultIf(!nats_url.startsWith('nats://127.0.0.1:'), nats_url));
  const response = await fetch(`${base_url}/api/companies/search`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${credentials.builder}`,
      'content-type': 'application/json',
      'idempotency-key': 'arm64',
    },
    body: JSON.stringify({ query: 'cold storage companies opening a warehouse', limit: 1 }),
  });
  const text = await response.text();
  const { companies = [] } = JSON.parse(text) as { companies?: readonly { name: string }[] };
  report(
    `a search is answered with ${companies[0]?.name}`,
    faultIf(companies.length !== 1, `${response.status} ${text}`),
  );
}
