import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

const execute = promisify(execFile);

const STEP_TIMEOUT_MS = 120_000;

/** Without installing it. The error message is part of a sentence. */
export async function fetchDebianPackage(target: string): Promise<void> {
  const folder = path.dirname(target);
  await mkdir(folder, { recursive: true });
  const staging = await mkdtemp(path.join(folder, 'nats-'));
  try {
    await download(staging);
    const archive = (await readdir(staging)).find((file) => file.endsWith('.deb')) ?? '';
    await execute('dpkg-deb', ['-x', archive, 'unpacked'], { cwd: staging, timeout: STEP_TIMEOUT_MS });
    await rename(path.join(staging, 'unpacked/usr/sbin/nats-server'), target);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Error(code === 'ENOENT' ? 'there is no apt-get' : 'apt-get download nats-server failed', {
      cause: error,
    });
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

/** Uses the machine's package lists, or downloads lists into `directory` (needs no root). */
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
