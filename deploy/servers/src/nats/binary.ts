import { execFile } from 'node:child_process';
import { access, constants, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { StartupError } from '@ces/chassis/service/lifecycle';

const execute = promisify(execFile);

const STEP_TIMEOUT_MS = 120_000;
/** Debian installs it here, where an ordinary user's PATH does not look. */
const SYSTEM_DIRECTORIES = ['/usr/local/sbin', '/usr/sbin'];

/** The installed nats-server, else the one fetched before, else the Debian package unpacked without installing. */
export async function findNatsServer(cacheDirectory: string): Promise<string> {
  const cached = path.join(cacheDirectory, 'nats-server');
  const onPath = (process.env.PATH ?? '').split(path.delimiter).filter(Boolean);
  for (const directory of [...onPath, ...SYSTEM_DIRECTORIES, cacheDirectory]) {
    const candidate = path.join(directory, 'nats-server');
    if (await isProgram(candidate)) return candidate;
  }
  if (await fetchDebianPackage(cacheDirectory, cached)) return cached;
  throw new StartupError(
    'nats-server was not found and could not be fetched: install it (Debian and Ubuntu: apt-get install nats-server), put it on PATH, or name a running one in NATS_URL.',
  );
}

async function fetchDebianPackage(cacheDirectory: string, target: string): Promise<boolean> {
  try {
    await mkdir(cacheDirectory, { recursive: true });
    const staging = await mkdtemp(path.join(cacheDirectory, 'nats-'));
    try {
      await download(staging);
      const archive = (await readdir(staging)).find((file) => file.endsWith('.deb'));
      if (!archive) return false;
      await execute('dpkg-deb', ['-x', archive, 'unpacked'], { cwd: staging, timeout: STEP_TIMEOUT_MS });
      await rename(path.join(staging, 'unpacked/usr/sbin/nats-server'), target);
      return true;
    } finally {
      await rm(staging, { recursive: true, force: true });
    }
  } catch {
    return false;
  }
}

/** By the machine's package lists; on a machine that has never fetched them, by lists fetched for this, which needs no root. */
async function download(directory: string): Promise<void> {
  const options = { cwd: directory, timeout: STEP_TIMEOUT_MS };
  try {
    await execute('apt-get', ['download', 'nats-server'], options);
  } catch {
    const lists = path.join(directory, 'lists');
    await mkdir(path.join(lists, 'partial'), { recursive: true });
    const own = [
      ...['-o', `Dir::State::lists=${lists}`, '-o', `Dir::Cache=${path.join(directory, 'cache')}`],
      ...['-o', 'APT::Sandbox::User=', '-o', 'Debug::NoLocking=1'],
    ];
    await execute('apt-get', [...own, 'update'], options);
    await execute('apt-get', [...own, 'download', 'nats-server'], options);
  }
}

function isProgram(file: string): Promise<boolean> {
  return access(file, constants.X_OK).then(
    () => true,
    () => false,
  );
}
