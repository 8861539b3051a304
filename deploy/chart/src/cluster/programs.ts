import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { build, CACHE, findModule, isThere } from '../check/programs.ts';

const execute = promisify(execFile);
const VERSION = '1.36.3';
const [MAJOR, MINOR] = VERSION.split('.');
const STAGED = /^(\t(k8s\.io\/[\w-]+)) => \.\/staging\/src\/k8s\.io\/[\w-]+$/gm;
const STAMP = 'k8s.io/component-base/version';
const STEP_TIMEOUT_MS = 120_000;

/** A program of Kubernetes, built before or now. */
export async function findKubernetesProgram(name: 'kube-apiserver' | 'kube-controller-manager'): Promise<string> {
  const built = path.join(CACHE, `${name}-${VERSION}`);
  if (await isThere(built)) return built;
  process.stderr.write(`building ${name} ${VERSION} (10 to 20 minutes on two cores) …\n`);
  const source = await findModule(`k8s.io/kubernetes@v${VERSION}`);
  const folder = await mkdtemp(path.join(os.tmpdir(), 'ces-kubernetes-'));
  try {
    const modFile = await withPublishedModules(source, folder);
    const stamps = { gitVersion: `v${VERSION}`, gitMajor: MAJOR, gitMinor: MINOR };
    const flags = Object.entries(stamps).map(([field, value]) => `-X ${STAMP}.${field}=${value}`);
    await build(source, [
      ...['-modfile', modFile, '-mod=mod', '-ldflags', `-s -w ${flags.join(' ')}`],
      ...['-o', built, `./cmd/${name}`],
    ]);
    return built;
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** The module takes its parts from folders that its archive does not hold: from the same version of each part instead. */
async function withPublishedModules(source: string, folder: string): Promise<string> {
  const file = path.join(folder, 'go.mod');
  const text = await readFile(path.join(source, 'go.mod'), 'utf8');
  await writeFile(file, text.replace(STAGED, `$1 => $2 v0.${VERSION.split('.').slice(1).join('.')}`));
  await writeFile(path.join(folder, 'go.sum'), await readFile(path.join(source, 'go.sum')));
  return file;
}

/** etcd as it is installed, else the Debian package unpacked without installing. */
export async function findEtcd(): Promise<string> {
  const cached = path.join(CACHE, 'etcd');
  const folders = [...(process.env.PATH ?? '').split(path.delimiter).filter(Boolean), CACHE];
  for (const folder of folders) if (await isThere(path.join(folder, 'etcd'))) return path.join(folder, 'etcd');
  const staging = await mkdtemp(path.join(os.tmpdir(), 'ces-etcd-'));
  try {
    const options = { cwd: staging, timeout: STEP_TIMEOUT_MS };
    await execute('apt-get', ['download', 'etcd-server'], options);
    const archive = (await readdir(staging)).find((file) => file.endsWith('.deb')) ?? '';
    await execute('dpkg-deb', ['-x', archive, 'unpacked'], options);
    await mkdir(CACHE, { recursive: true });
    await copyFile(path.join(staging, 'unpacked/usr/bin/etcd'), `${cached}.new`);
    await rename(`${cached}.new`, cached);
    return cached;
  } catch (error) {
    throw new Error(`etcd was not found and could not be fetched (apt-get install etcd-server): ${error}`);
  } finally {
    await rm(staging, { recursive: true });
  }
}
