import { execFile } from 'node:child_process';
import { chmod, chown, cp, mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { run } from '@ces/chart/check/programs';
import { findNatsServer } from '@ces/servers/nats/binary';
import { findBinaries } from '@ces/servers/postgres/binaries';
import { OWN_ACCOUNT } from '@ces/servers/processes/account';
import { REPOSITORY } from '@ces/topology/services';
import { add, addBase, addLibraries } from '../kubernetes/build/images.ts';

const execute = promisify(execFile);
const USER = 65_532;

/** As the official image of Postgres behaves where deploy/compose.yaml relies on it: a password file, statements for a new server. */
const START_POSTGRES = `set -e
data=/var/lib/postgresql/18/docker
if [ ! -e "$data/PG_VERSION" ]; then
  mkdir -p /var/lib/postgresql/18
  /postgres/bin/initdb --pgdata="$data.new" --username=postgres --pwfile="$POSTGRES_PASSWORD_FILE" --auth=scram-sha-256 \\
    --encoding=UTF8 --locale-provider=builtin --builtin-locale=C.UTF-8 --locale=C --no-instructions
  echo 'host all all all scram-sha-256' >> "$data.new/pg_hba.conf"
  for file in /docker-entrypoint-initdb.d/*.sql; do /postgres/bin/postgres --single -D "$data.new" postgres < "$file"; done
  mv "$data.new" "$data"
fi
exec /postgres/bin/postgres -D "$data" -c listen_addresses='*' -c unix_socket_directories=/tmp
`;
const IS_READY = '#!/bin/sh\nexec nc -w 1 127.0.0.1 5432 < /dev/null\n';

/** Makes images in the place of the official ones of Postgres and NATS, where no registry of images can be reached. */
export async function makeStandIns(folder: string): Promise<{ postgres: string; nats: string }> {
  const postgres = await importImage(path.join(folder, 'postgres'), 'ces-lab-postgres:18', fillPostgres, [
    `USER ${USER}`,
    'ENTRYPOINT ["/bin/sh", "/start.sh"]',
  ]);
  const nats = await importImage(path.join(folder, 'nats'), 'ces-lab-nats:1', fillNats, [
    'ENTRYPOINT ["/nats-server"]',
  ]);
  return { postgres, nats };
}

async function fillPostgres(root: string): Promise<void> {
  const { initdb, postgres } = await findBinaries(OWN_ACCOUNT);
  await addBase(root, await findBusybox(path.dirname(root)));
  for (const name of ['mkdir', 'mv', 'nc']) await symlink('/bin/busybox', path.join(root, 'bin', name));
  await cp(path.resolve(path.dirname(postgres), '..'), path.join(root, 'postgres'), {
    recursive: true,
    verbatimSymlinks: true,
  });
  for (const program of [initdb, postgres]) await addLibraries(root, program);
  await writeFile(path.join(root, 'start.sh'), START_POSTGRES);
  await writeFile(path.join(root, 'bin/pg_isready'), IS_READY, { mode: 0o755 });
  // A new volume begins as what the image has there.
  const data = path.join(root, 'var/lib/postgresql');
  await mkdir(data, { recursive: true });
  await chown(data, USER, USER);
}

async function fillNats(root: string): Promise<void> {
  const program = await findNatsServer(path.join(REPOSITORY, '.cache'));
  await add(root, program, '/nats-server');
  await addLibraries(root, program);
}

async function findBusybox(folder: string): Promise<string> {
  await execute('apt-get', ['download', '-qq', 'busybox-static'], { cwd: folder });
  const archive = (await readdir(folder)).find((file) => file.startsWith('busybox-static_')) ?? '';
  await execute('dpkg-deb', ['--extract', archive, 'busybox'], { cwd: folder });
  return path.join(folder, 'busybox/bin/busybox');
}

async function importImage(
  folder: string,
  name: string,
  fill: (root: string) => Promise<void>,
  changes: readonly string[],
): Promise<string> {
  const root = path.join(folder, 'root');
  await mkdir(root, { recursive: true });
  await chmod(root, 0o755);
  await fill(root);
  const archive = path.join(folder, 'root.tar');
  await run('tar', ['--create', '--numeric-owner', '--file', archive, '--directory', root, '.']);
  const settings = ['ENV PATH=/bin', ...changes].flatMap((change) => ['--change', change]);
  await run('docker', ['import', ...settings, archive, name]);
  return name;
}
