import { readFile, rm, writeFile } from 'node:fs/promises';
import { StartupError } from '@ces/chassis/lifecycle';
import type { DataDirectory } from './data-directory.ts';

/** The process that runs a stack; `since` tells it from a later process with the same number. */
interface Owner {
  readonly pid: number;
  readonly since: string;
}

/** Claims a data directory for this process until disposed. */
export async function lockStack(data: DataDirectory): Promise<AsyncDisposable> {
  const running = await findRunningStack(data);
  if (running)
    throw new StartupError(
      `a stack runs in ${data.path} already (process ${running}): stop it with npm run stop, or name another directory in CES_DATA_DIR.`,
    );
  await rm(data.lockFile, { force: true });
  const owner: Owner = { pid: process.pid, since: await startOf(process.pid) };
  await writeFile(data.lockFile, JSON.stringify(owner), { flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
    throw new StartupError(`another stack starts in ${data.path} at this moment (${error.code}): wait for it.`);
  });
  return { [Symbol.asyncDispose]: () => rm(data.lockFile, { force: true }) };
}

/** The process that runs the stack of a data directory; undefined when none does. */
export async function findRunningStack(data: DataDirectory): Promise<number | undefined> {
  const text = await readFile(data.lockFile, 'utf8').catch(() => '');
  const owner = parse(text);
  return owner && (await isAlive(owner)) ? owner.pid : undefined;
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

/** When a process started, in clock ticks since boot; empty where the system does not tell. */
async function startOf(pid: number): Promise<string> {
  const line = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return line.slice(line.lastIndexOf(')') + 2).split(' ')[19] ?? '';
}
