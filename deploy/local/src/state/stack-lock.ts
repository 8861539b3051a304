import { readFile, rm, writeFile } from 'node:fs/promises';
import { StartupError } from '@ces/chassis/service/lifecycle';
import { startOf } from '@ces/servers/processes/system-processes';
import type { DataDirectory } from './data-directory.ts';

export interface StackLock extends AsyncDisposable {
  /** False after the folder or its lock was removed, or another stack claimed it. */
  isHeld(): Promise<boolean>;
  readonly lost: AbortSignal;
}

/** `since` distinguishes it from a later process with the same pid. */
interface Owner {
  readonly pid: number;
  readonly since: string;
}

const LOOK_EVERY_MS = 1_000;

export async function lockStack(data: DataDirectory): Promise<StackLock> {
  const running = await findRunningStack(data);
  if (running)
    throw new StartupError(
      `a stack already runs in ${data.path} (process ${running}): stop it with npm run stop, or set CES_DATA_DIR to another directory.`,
    );
  await rm(data.lockFile, { force: true });
  const owner: Owner = { pid: process.pid, since: await startOf(process.pid) };
  const text = JSON.stringify(owner);
  await writeFile(data.lockFile, text, { flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
    throw new StartupError(`another stack is starting in ${data.path} (${error.code}): wait for it.`);
  });
  const losing = new AbortController();
  const isHeld = async () => (await readLock(data)) === text;
  const timer = setInterval(async () => (await isHeld()) || losing.abort(), LOOK_EVERY_MS);
  return {
    isHeld,
    lost: losing.signal,
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      if (await isHeld()) await rm(data.lockFile, { force: true });
    },
  };
}

export async function findRunningStack(data: DataDirectory): Promise<number | undefined> {
  const owner = parse(await readLock(data));
  return owner && (await isAlive(owner)) ? owner.pid : undefined;
}

function readLock(data: DataDirectory): Promise<string> {
  return readFile(data.lockFile, 'utf8').catch(() => '');
}

function parse(text: string): Owner | undefined {
  try {
    return JSON.parse(text) as Owner;
  } catch {
    return undefined;
  }
}

async function isAlive({ pid, since }: Owner): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  return (await startOf(pid)) === since;
}
