import { createHash } from 'node:crypto';
import { mkdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { run } from '@ces/chart/check/programs';
import { REPOSITORY } from '@ces/topology/services';
import { ARCHITECTURES, type Architecture } from './architectures.ts';
import { failureOf } from './failure.ts';

/** What was committed, exported. */
export interface Tree {
  readonly folder: string;
  /** The commit, in full. */
  readonly revision: string;
  /** When it was made, in seconds since 1970: the time of every file. */
  readonly seconds: number;
  /** SHA-256 of package-lock.json, in hexadecimal digits. */
  readonly lockDigest: string;
}

/** The last commit below a folder. What is not committed is left out. */
export async function exportTree(folder: string): Promise<Tree> {
  const [revision = '', seconds] = (await git('show', '--no-patch', '--format=%H %ct', 'HEAD')).trim().split(' ');
  const archive = `${folder}.tar`;
  await mkdir(folder);
  await git('archive', '--output', archive, revision);
  await run('tar', ['--extract', '--file', archive, '--directory', folder]);
  await rm(archive);
  const lock = await readFile(path.join(folder, 'package-lock.json'));
  const lockDigest = createHash('sha256').update(lock).digest('hex');
  return { folder, revision, seconds: Number(seconds), lockDigest };
}

/** Whether something here is not committed, and so not in an exported tree. */
export async function hasUncommitted(): Promise<boolean> {
  return (await git('status', '--porcelain')).trim() !== '';
}

/** Archives of what images hold below /app. */
export interface Layers {
  /** What is the same for every architecture. */
  readonly common: string;
  /** Native code. */
  readonly native: Readonly<Record<Architecture, string>>;
}

/** The one package with native code, where it has that for Linux. */
const NATIVE = './node_modules/onnxruntime-node/bin/napi-v6/linux';
const NODE_ARCHITECTURES = { amd64: 'x64', arm64: 'arm64' } as const;
const BELOW_APP = '--transform=s,^\\.,app,S';

/** Turns a tree into what images of a version hold below /app. */
export async function makeAppLayers({ folder, seconds }: Tree, version: string): Promise<Layers> {
  const environment = [`--chdir=${folder}`, `SOURCE_DATE_EPOCH=${seconds}`, `VERSION=${version}`];
  await run('env', [...environment, 'sh', 'deploy/image/make-app.sh']).catch((error: unknown) => {
    throw failureOf('What the image holds could not be made', error);
  });
  const common = `${folder}-layer.tar`;
  await pack(common, folder, seconds, { options: [BELOW_APP, `--exclude=${NATIVE}/*`] });
  const native = { amd64: `${folder}-amd64.tar`, arm64: `${folder}-arm64.tar` };
  for (const architecture of ARCHITECTURES) {
    const member = `${NATIVE}/${NODE_ARCHITECTURES[architecture]}`;
    await pack(native[architecture], folder, seconds, { options: [BELOW_APP], member });
  }
  return { common, native };
}

interface Packing {
  /** Of tar. */
  readonly options?: readonly string[];
  /** What of the folder is packed; all of it by default. */
  readonly member?: string;
}

/** An archive of a folder that is the same for the same files: of nobody, of one time, in one order. */
export async function pack(
  archive: string,
  folder: string,
  seconds: number,
  { options = [], member = '.' }: Packing = {},
) {
  const same = ['--sort=name', '--format=gnu', `--mtime=@${seconds}`, '--owner=0', '--group=0', '--numeric-owner'];
  await run('tar', ['--create', ...same, ...options, '--file', archive, '--directory', folder, member]);
}

async function git(...parameters: readonly string[]): Promise<string> {
  return await run('git', ['-C', REPOSITORY, ...parameters]);
}
