import { execFile, spawn } from 'node:child_process';
import { access, mkdir, mkdtemp, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import net from 'node:net';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { StartupError } from '@ces/chassis/lifecycle';

const execute = promisify(execFile);

export interface NatsServer extends AsyncDisposable {
  readonly pid: number;
  readonly url: string;
}

export interface NatsOptions {
  readonly storeDirectory: string;
  readonly port: number;
  /** Where a fetched nats-server is kept. */
  readonly cacheDirectory: string;
  readonly logFile: string;
}

const READY_WITHIN_MS = 10_000;

/** Starts a real nats-server with JetStream on the loopback address. */
export async function startNats(options: NatsOptions): Promise<NatsServer> {
  const program = await findNatsServer(options.cacheDirectory);
  await mkdir(options.storeDirectory, { recursive: true, mode: 0o700 });
  const log = await open(options.logFile, 'a');
  const child = spawn(
    program,
    ['--addr', '127.0.0.1', '--port', String(options.port), '--jetstream', '--store_dir', options.storeDirectory],
    { detached: true, stdio: ['ignore', log.fd, log.fd] },
  );
  await log.close();
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  await untilListening(options, () => child.exitCode !== null);
  child.unref();
  return {
    pid: child.pid ?? -1,
    url: `nats://127.0.0.1:${options.port}`,
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), 5_000);
      await ended;
      clearTimeout(timer);
    },
  };
}

/** The nats-server on PATH, else the cached one, else the Debian package unpacked without installing. */
export async function findNatsServer(cacheDirectory: string): Promise<string> {
  for (const directory of (process.env.PATH ?? '').split(path.delimiter)) {
    const candidate = path.join(directory, 'nats-server');
    if (directory && (await exists(candidate))) return candidate;
  }
  const cached = path.join(cacheDirectory, 'nats-server');
  if (await exists(cached)) return cached;
  return (await fetchDebianPackage(cacheDirectory, cached)) ? cached : missing();
}

function missing(): never {
  throw new StartupError(
    'nats-server was not found: install it (Debian and Ubuntu: apt-get install nats-server), put it on PATH, or name a running one in NATS_URL.',
  );
}

async function fetchDebianPackage(cacheDirectory: string, target: string): Promise<boolean> {
  await mkdir(cacheDirectory, { recursive: true });
  const staging = await mkdtemp(path.join(cacheDirectory, 'fetch-'));
  try {
    await execute('apt-get', ['download', 'nats-server'], { cwd: staging, timeout: 60_000 });
    const [archive] = (await readdir(staging)).filter((file) => file.endsWith('.deb'));
    if (!archive) return false;
    await execute('dpkg-deb', ['-x', archive, 'unpacked'], { cwd: staging, timeout: 60_000 });
    await rename(path.join(staging, 'unpacked/usr/sbin/nats-server'), target);
    return true;
  } catch {
    return false;
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

async function untilListening(options: NatsOptions, hasEnded: () => boolean): Promise<void> {
  const deadline = Date.now() + READY_WITHIN_MS;
  while (!(await accepts(options.port))) {
    if (hasEnded() || Date.now() > deadline) {
      const log = await readFile(options.logFile, 'utf8').catch(() => '');
      const reason = log
        .trim()
        .split('\n')
        .findLast((line) => /\[FTL\]|\[ERR\]|nats-server:/.test(line));
      throw new StartupError(
        `nats-server did not start${reason ? ` (${reason.replace(/^.*\] /, '')})` : ''}: see ${options.logFile}.`,
      );
    }
    await pause(20);
  }
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
