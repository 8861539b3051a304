import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { basesOf, readDockerfile } from '@ces/image/publish/dockerfile';
import { type Build, DOCKER_BUILD } from '@ces/image/publish/provenance';
import type { Tools } from '@ces/image/publish/tools';
import { REPOSITORY } from '@ces/topology/services';

const execute = promisify(execFile);
const OUTPUT_BYTES = 64 * 1024 * 1024;
const NAME = 'company-evidence-search';

export interface BuiltImage extends Build {
  readonly buildArguments: Readonly<Record<string, string>>;
  readonly context: string;
  readonly tag: string;
}

export interface Order {
  readonly tools: Tools;
  readonly registry: string;
  readonly folder: string;
  readonly assemble: boolean;
}

/** Builds the image of the last commit and pushes it. */
export async function buildImage({ tools, registry, folder, assemble }: Order): Promise<BuiltImage> {
  const context = path.join(folder, 'context');
  const revision = (await execute('git', ['rev-parse', 'HEAD'], { cwd: REPOSITORY })).stdout.trim();
  await exportCommit(revision, context);
  const [builder = '', base = ''] = assemble
    ? await assembleBases(tools, registry)
    : basesOf(await readDockerfile(context));
  const buildArguments = { BUILDER: builder, BASE: base, REVISION: revision };
  const tag = `${registry}/${NAME}:trial`;
  const startedAt = new Date();
  await dockerBuild(context, buildArguments, ['--tag', tag]);
  const finishedAt = new Date();
  await docker('push', '--quiet', tag);
  const digest = (await tools.crane('digest', tag)).trim();
  const lockDigest = createHash('sha256')
    .update(await readFile(path.join(context, 'package-lock.json')))
    .digest('hex');
  const { stdout } = await docker('version', '--format', 'https://mobyproject.org/docker@{{.Server.Version}}');
  const reference = `${registry}/${NAME}@${digest}`;
  return {
    context,
    reference,
    tag,
    revision,
    buildArguments,
    buildType: DOCKER_BUILD,
    parameters: { dockerfile: 'deploy/Dockerfile', buildArguments },
    bases: [builder, base],
    lockDigest,
    builder: stdout.trim(),
    startedAt,
    finishedAt,
  };
}

/** Whether a build rejects a base image that is named by a tag. */
export async function refusesTag({ context, buildArguments }: BuiltImage): Promise<boolean> {
  const tagged = { ...buildArguments, BASE: 'gcr.io/distroless/nodejs24-debian12:nonroot' };
  return await dockerBuild(context, tagged, ['--target', 'builder']).then(
    () => false,
    (error: Error & { stdout?: string }) =>
      `${error.stdout} ${error.message}`.includes('is no base: name it by its digest'),
  );
}

export async function printedBy(image: string, program: string, ...parameters: readonly string[]): Promise<string> {
  return (
    await docker('run', '--rm', '--network', 'none', '--entrypoint', program, image, ...parameters)
  ).stdout.trim();
}

async function exportCommit(revision: string, folder: string): Promise<void> {
  const archive = `${folder}.tar`;
  await mkdir(folder);
  await execute('git', ['archive', '--output', archive, revision], { cwd: REPOSITORY });
  await execute('tar', ['--extract', '--file', archive, '--directory', folder]);
}

/** Pushes both bases, so that they have digests. */
async function assembleBases({ crane }: Tools, registry: string): Promise<readonly string[]> {
  await execute(path.join(REPOSITORY, 'deploy/image/assemble-bases.sh'), { maxBuffer: OUTPUT_BYTES });
  const bases: string[] = [];
  for (const name of ['ces-builder', 'ces-base']) {
    const pushed = `${registry}/${name}`;
    await docker('tag', `${name}:local`, pushed);
    await docker('push', '--quiet', pushed);
    bases.push(`${pushed}@${(await crane('digest', pushed)).trim()}`);
  }
  return bases;
}

async function dockerBuild(
  context: string,
  buildArguments: Readonly<Record<string, string>>,
  options: readonly string[],
) {
  const given = Object.entries(buildArguments).flatMap(([name, value]) => ['--build-arg', `${name}=${value}`]);
  const file = ['--file', path.join(context, 'deploy/Dockerfile')];
  await docker('build', '--network', 'host', ...file, ...given, ...options, context);
}

async function docker(...parameters: readonly string[]) {
  const hasBuildx = await execute('docker', ['buildx', 'version']).then(
    () => true,
    () => false,
  );
  const env = hasBuildx ? process.env : { ...process.env, DOCKER_BUILDKIT: '0' };
  return await execute('docker', [...parameters], { env, maxBuffer: OUTPUT_BYTES });
}
