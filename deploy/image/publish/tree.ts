import { createHash } from 'node:crypto';
import { mkdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { run } from '@ces/chart/programs/programs';
import { REPOSITORY } from '@ces/topology/services';
import { failureOf } from './failure.ts';

/** Target architectures of images, by their Go and Debian names. */
export const ARCHITECTURES = ['amd64', 'arm64'] as const;
export type Architecture = (typeof ARCHITECTURES)[number];

export interface Tree {
  readonly folder: string;
  readonly revision: string;
  /** Commit time in seconds since 1970, which every file gets as its mtime. */
  readonly seconds: number;
  readonly lockDigest: string;
}

/** Exports the last commit; uncommitted changes are left out. */
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

export async function hasUncommitted(): Promise<boolean> {
  return (await git('status', '--porcelain')).trim() !== '';
}

/** Tar archives of the image's content in /app. */
export interface Layers {
  readonly common: string;
  readonly native: Readonly<Record<Architecture, string>>;
}

/** The only package with native code for Linux. */
const NATIVE = './node_modules/onnxruntime-node/bin/napi-v6/linux';
const NODE_ARCHITECTURES = { amd64: 'x64', arm64: 'arm64' } as const;
const BELOW_APP = '--transform=s,^\\.,app,S';

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
  readonly options?: readonly string[];
  readonly member?: string;
}

/** A reproducible archive of a folder: fixed owner, mtime and order. */
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
