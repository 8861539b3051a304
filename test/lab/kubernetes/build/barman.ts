import { execFile } from 'node:child_process';
import { chmod, cp, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { cached, textsOf } from './cache.ts';
import { addLibraries } from './images.ts';
import { SOURCES, unpackPackages } from './programs.ts';

const execute = promisify(execFile);
const REQUIREMENTS = path.join(SOURCES, 'barman');
const PYTHON = ['python3.11-minimal', 'libpython3.11-minimal', 'libpython3.11-stdlib'].map(
  (name) => `${name}=3.11.2-6+deb12u9`,
);
/** Extension modules that load system libraries. */
const NATIVE = [
  ...['_bz2', '_ctypes', '_hashlib', '_lzma', '_ssl'].map((name) => `usr/lib/python3.11/lib-dynload/${name}`),
  'barman/psycopg2/_psycopg',
];
const PROGRAMS = {
  'barman-cloud-backup': 'cloud_backup',
  'barman-cloud-backup-delete': 'cloud_backup_delete',
  'barman-cloud-backup-list': 'cloud_backup_list',
  'barman-cloud-backup-show': 'cloud_backup_show',
  'barman-cloud-check-wal-archive': 'cloud_check_wal_archive',
  'barman-cloud-restore': 'cloud_restore',
  'barman-cloud-wal-archive': 'cloud_walarchive',
  'barman-cloud-wal-restore': 'cloud_walrestore',
};

export async function findBarman(): Promise<string> {
  const python = await unpackPackages('python', PYTHON);
  return await cached('barman', [python, ...(await textsOf(REQUIREMENTS))], async (folder) => {
    await cp(path.join(python, 'usr'), path.join(folder, 'usr'), { recursive: true, verbatimSymlinks: true });
    const site = path.join(folder, 'barman');
    const platform = ['--python-version', '3.11', '--implementation', 'cp', '--platform', 'manylinux2014_x86_64'];
    const requirements = path.join(REQUIREMENTS, 'requirements.txt');
    const options = ['--no-deps', '--require-hashes', '--only-binary', ':all:', '--root-user-action', 'ignore'];
    await execute('python3', [
      ...['-m', 'pip', 'install', ...options, ...platform, '--target', site, '--no-compile', '-r', requirements],
    ]);
    const interpreter = path.join(folder, 'usr/bin/python3.11');
    const env = { ...process.env, PYTHONHOME: path.join(folder, 'usr') };
    // Image files have no timestamps and instances cannot write, so Python must trust the bytecode
    // (PEP 552, unchecked hash).
    const compile = ['-S', '-m', 'compileall', '-q', '-f', '--invalidation-mode', 'unchecked-hash'];
    await execute(interpreter, [...compile, site, path.join(folder, 'usr/lib/python3.11')], { env });
  });
}

export async function addBarman(root: string, barman: string): Promise<void> {
  const folder = path.join(root, 'python');
  await cp(barman, folder, { recursive: true, verbatimSymlinks: true });
  await chmod(folder, 0o755);
  await addLibraries(root, path.join(barman, 'usr/bin/python3.11'));
  for (const name of NATIVE) await addLibraries(root, path.join(barman, `${name}.cpython-311-x86_64-linux-gnu.so`));
  for (const [name, module] of Object.entries(PROGRAMS)) {
    const script = `#!/bin/sh
PYTHONHOME=/python/usr PYTHONPATH=/python/barman exec /python/usr/bin/python3.11 -S -m barman.clients.${module} "$@"
`;
    await writeFile(path.join(root, 'tools/bin', name), script, { mode: 0o755 });
  }
}
