import { createHash } from 'node:crypto';
import { chmod, chown, lstat, mkdir, readFile, stat, symlink } from 'node:fs/promises';
import path from 'node:path';
import { StartupError } from '@ces/chassis/lifecycle';

/** The account that runs database servers: this one, or an unprivileged one when this is root, as Postgres refuses root. */
export interface Account {
  readonly id: { readonly uid: number; readonly gid: number } | undefined;
  /** Spread into the options of `spawn`. */
  readonly spawnAs: { readonly uid?: number; readonly gid?: number };
}

export async function serverAccount(): Promise<Account> {
  if (process.getuid?.() !== 0) return { id: undefined, spawnAs: {} };
  const lines = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'));
  const entry = lines.find((line) => line[0] === 'postgres') ?? lines.find((line) => line[0] === 'nobody');
  if (!entry)
    throw new StartupError(
      'Postgres refuses to run as root and there is no user postgres or nobody: start as an ordinary user.',
    );
  const id = { uid: Number(entry[2]), gid: Number(entry[3]) };
  return { id, spawnAs: id };
}

/**
 * The directory itself, made if need be, when the account can reach it. Below a directory that only root can enter
 * it is a link to a folder of the account's own under /var/tmp, made unguessable by owner and mode.
 */
export async function reachableDirectory(directory: string, account: Account): Promise<string> {
  await mkdir(path.dirname(directory), { recursive: true });
  if (!account.id) {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    return directory;
  }
  const place = (await isReachable(path.dirname(directory))) ? directory : elsewhere(directory);
  await mkdir(place, { recursive: true, mode: 0o700 });
  const found = await lstat(place);
  const ours = found.isDirectory() && (found.uid === 0 || found.uid === account.id.uid);
  if (!ours)
    throw new StartupError(`${place} belongs to somebody else: remove it, or name another directory in CES_DATA_DIR.`);
  await chown(place, account.id.uid, account.id.gid);
  await chmod(place, 0o700);
  if (place !== directory) await symlink(place, directory).catch(ignoreExisting);
  return place;
}

/** Whether everybody may pass through a directory and all that stand above it. */
export async function isReachable(directory: string): Promise<boolean> {
  for (let at = path.resolve(directory); ; at = path.dirname(at)) {
    if (((await stat(at)).mode & 0o001) === 0) return false;
    if (at === path.dirname(at)) return true;
  }
}

function elsewhere(directory: string): string {
  const name = createHash('sha256').update(path.resolve(directory)).digest('hex').slice(0, 16);
  return path.join('/var/tmp', `ces-data-${name}`);
}

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error;
}
