import { chmod, chown, lstat, mkdir, mkdtemp, readFile, readlink, rm, rmdir, stat, symlink } from 'node:fs/promises';
import path from 'node:path';
import { StartupError } from '@ces/chassis/service/lifecycle';

/** Runs the database servers. Postgres refuses root, so root uses an unprivileged account. */
export interface Account {
  readonly id: { readonly uid: number; readonly gid: number } | undefined;
  readonly spawnAs: { readonly uid?: number; readonly gid?: number };
}

export const OWN_ACCOUNT: Account = { id: undefined, spawnAs: {} };

const ELSEWHERE = '/var/tmp';

export async function serverAccount(): Promise<Account> {
  if (process.getuid?.() !== 0) return OWN_ACCOUNT;
  const lines = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'));
  // macOS has negative ids, which `spawn` does not accept.
  const usable = lines.filter((line) => Number(line[2]) > 0);
  const entry = usable.find((line) => line[0] === 'postgres') ?? usable.find((line) => line[0] === 'nobody');
  if (!entry)
    throw new StartupError(
      'Postgres refuses to run as root and there is no user postgres or nobody: start as an ordinary user.',
    );
  const id = { uid: Number(entry[2]), gid: Number(entry[3]) };
  return { id, spawnAs: id };
}

/** If only root can enter the parent, a folder under /var/tmp, linked from `directory`. */
export async function reachableDirectory(directory: string, account: Account): Promise<string> {
  await mkdir(path.dirname(directory), { recursive: true });
  if (!account.id) {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    return directory;
  }
  const real = (await linkTarget(directory)) ?? (await makeReachable(directory));
  const found = await lstat(real);
  const ours = found.isDirectory() && (found.uid === 0 || found.uid === account.id.uid);
  if (!ours)
    throw new StartupError(`${real} belongs to somebody else: remove it, or name another directory in CES_DATA_DIR.`);
  await chown(real, account.id.uid, account.id.gid);
  await chmod(real, 0o700);
  return real;
}

/** Removes a folder from `reachableDirectory` and the target of its link. */
export async function removeDirectory(directory: string): Promise<void> {
  const target = await linkTarget(directory);
  if (target?.startsWith(`${ELSEWHERE}/ces-`)) await rm(target, { recursive: true, force: true });
  await rm(directory, { recursive: true, force: true });
}

/** Whether every user may enter a directory and all its parents. */
export async function isReachable(directory: string): Promise<boolean> {
  for (let at = path.resolve(directory); ; at = path.dirname(at)) {
    if (((await stat(at)).mode & 0o001) === 0) return false;
    if (at === path.dirname(at)) return true;
  }
}

async function makeReachable(directory: string): Promise<string> {
  if (await isReachable(path.dirname(directory))) {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    return directory;
  }
  await rmdir(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT')
      throw new StartupError(
        `${directory} holds data, but only root may enter a directory above it and Postgres does not run as root: open that directory again (chmod o+x), or name another one in CES_DATA_DIR.`,
      );
  });
  const elsewhere = await mkdtemp(path.join(ELSEWHERE, 'ces-data-'));
  await symlink(elsewhere, directory);
  return elsewhere;
}

async function linkTarget(directory: string): Promise<string | undefined> {
  const target = await readlink(directory).catch(() => undefined);
  if (target === undefined) return undefined;
  if (target.startsWith(`${ELSEWHERE}/ces-`)) await mkdir(target, { recursive: true, mode: 0o700 });
  return target;
}
