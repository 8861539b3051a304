import { createHash } from 'node:crypto';
import { mkdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { run } from '@ces/chart/check/programs';
import { REPOSITORY } from '@ces/topology/services';
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

/** Turns a tree into what images of a version hold below /app, for any architecture; the layer of it, an archive. */
export async function makeAppLayer({ folder, seconds }: Tree, version: string): Promise<string> {
  const environment = [`--chdir=${folder}`, `SOURCE_DATE_EPOCH=${seconds}`, `VERSION=${version}`];
  await run('env', [...environment, 'sh', 'deploy/image/make-app.sh']).catch((error: unknown) => {
    throw failureOf('What the image holds could not be made', error);
  });
  const layer = `${folder}-layer.tar`;
  await pack(layer, folder, seconds, '--transform=s,^\\.,app,S');
  return layer;
}

/** An archive of a folder that is the same for the same files: of nobody, of one time, in one order. */
export async function pack(archive: string, folder: string, seconds: number, ...more: readonly string[]) {
  const same = ['--sort=name', '--format=gnu', `--mtime=@${seconds}`, '--owner=0', '--group=0', '--numeric-owner'];
  await run('tar', ['--create', ...same, ...more, '--file', archive, '--directory', folder, '.']);
}

async function git(...parameters: readonly string[]): Promise<string> {
  return await run('git', ['-C', REPOSITORY, ...parameters]);
}
