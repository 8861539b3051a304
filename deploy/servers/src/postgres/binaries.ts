import { existsSync } from 'node:fs';
import { chmod, cp, lstat, mkdtemp, readFile, rename, rm, symlink } from 'node:fs/promises';
import path from 'node:path';
import { StartupError } from '@ces/chassis/service/lifecycle';
import { choosePostgres } from '../machine/choice.mjs';
import { thisMachine } from '../machine/this-machine.mjs';
import { type Account, isReachable } from '../processes/account.ts';

export interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
  readonly majorVersion: string;
}

export async function findBinaries(account: Account): Promise<Binaries> {
  const { name, sentence } = choosePostgres({ ...thisMachine(), named: false });
  if (sentence !== undefined) throw new StartupError(sentence);
  const found: { initdb: string } = await import(name ?? '').catch(() => {
    throw new StartupError(
      `${name} is not installed: run npm ci again, or name databases of yours in CES_<SERVICE>_DATABASE_URL.`,
    );
  });
  const native = path.resolve(path.dirname(found.initdb), '..');
  const { version }: { version: string } = JSON.parse(await readFile(path.join(native, '../package.json'), 'utf8'));
  await linkLibraries(native);
  const directory = !account.id || (await isReachable(native)) ? native : await copyElsewhere(native, version);
  return {
    initdb: path.join(directory, 'bin/initdb'),
    postgres: path.join(directory, 'bin/postgres'),
    majorVersion: version.split('.')[0] ?? version,
  };
}

/** npm drops them; the install script may be disabled. */
async function linkLibraries(native: string): Promise<void> {
  const root = path.dirname(native);
  const links: { source: string; target: string }[] = JSON.parse(
    await readFile(path.join(native, 'pg-symlinks.json'), 'utf8'),
  );
  for (const { source, target } of links) {
    if (existsSync(path.join(root, target))) continue;
    const relative = path.relative(path.dirname(target), source);
    await symlink(relative, path.join(root, target)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  }
}

async function copyElsewhere(native: string, version: string): Promise<string> {
  const directory = `/var/tmp/ces-postgres-${version}`;
  if (existsSync(path.join(directory, 'bin/postgres'))) return trusted(directory);
  const staging = await mkdtemp(`${directory}.`);
  await cp(native, staging, { recursive: true, verbatimSymlinks: true });
  await chmod(staging, 0o755);
  await rename(staging, directory).catch(() => rm(staging, { recursive: true }));
  return trusted(directory);
}

/** Anyone may create folders in /var/tmp: accepts only one that only this user owns and writes. */
async function trusted(directory: string): Promise<string> {
  const found = await lstat(directory);
  if (found.isDirectory() && found.uid === process.getuid?.() && (found.mode & 0o022) === 0) return directory;
  throw new StartupError(`${directory} was not made by this user: remove it and start again.`);
}
