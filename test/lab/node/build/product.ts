import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { until } from '../processes.ts';
import { cached, REPOSITORY } from './cache.ts';
import type { Image } from './images.ts';

const execute = promisify(execFile);
const OUTPUT_BYTES = 64 * 1024 * 1024;
const CONTENTS = [
  ...['deploy/Dockerfile', 'deploy/cli', 'deploy/image', 'deploy/topology', 'gateway', 'proto', 'services'],
  ...['package.json', 'package-lock.json'],
];
const NOT_IN_IMAGE = /\.(?:md|test\.ts)$/;
const ANSWERS_WITHIN_MS = 60_000;

/** Builds the product's image of a commit without a registry, as in deploy/docs/install.md. */
export async function makeProductImage(debian: string, commit: string, name: string): Promise<Image> {
  const files = (await git('ls-tree', '-r', commit, ...CONTENTS))
    .split('\n')
    .filter((line) => !NOT_IN_IMAGE.test(line));
  const folder = await cached(`product-${name.split(':')[1]}`, [...files, name], async (staging) => {
    await using docker = await findDocker(debian);
    // Outside the cache, because the test runner would find the tests of the context.
    const context = await mkdtemp(path.join(os.tmpdir(), 'ces-context-'));
    await git('archive', '--output', `${context}.tar`, commit);
    await execute('tar', ['--extract', '--file', `${context}.tar`, '--directory', context]);
    const { stdout } = await docker.run(path.join(REPOSITORY, 'deploy/image/assemble-bases.sh'));
    const bases = stdout.trim().split(/\s+/);
    const options = ['--network', 'host', '--file', path.join(context, 'deploy/Dockerfile'), ...bases];
    const revision = (await git('rev-parse', commit)).trim();
    await docker.run('docker', 'build', ...options, '--build-arg', `REVISION=${revision}`, '--tag', name, context);
    await docker.run('docker', 'save', '--output', path.join(staging, 'image.tar'), name);
    for (const done of [context, `${context}.tar`]) await rm(done, { recursive: true });
  });
  return { name, archive: path.join(folder, 'image.tar') };
}

interface Docker extends AsyncDisposable {
  run(program: string, ...parameters: readonly string[]): Promise<{ stdout: string }>;
}

/**
 * Uses a running Docker daemon, or starts one from the Debian package with its own cgroups and
 * mounts.
 */
async function findDocker(debian: string): Promise<Docker> {
  const runWith =
    (env: NodeJS.ProcessEnv) =>
    async (program: string, ...parameters: readonly string[]) =>
      await execute(program, [...parameters], { env: { ...env, DOCKER_BUILDKIT: '0' }, maxBuffer: OUTPUT_BYTES });
  const present = { run: runWith(process.env), [Symbol.asyncDispose]: async () => undefined };
  if (await answers(present)) return present;
  const folder = await mkdtemp(path.join(os.tmpdir(), 'ces-docker-'));
  const socket = path.join(folder, 'docker.sock');
  const env = {
    ...process.env,
    DOCKER_HOST: `unix://${socket}`,
    PATH: `${debian}/usr/bin:${debian}/usr/sbin:${process.env.PATH}`,
  };
  const child = startDocker(folder, socket, env);
  const own = { run: runWith(env), [Symbol.asyncDispose]: () => end(child) };
  try {
    await until('Docker answers', ANSWERS_WITHIN_MS, () => answers(own));
  } catch (error) {
    await end(child);
    throw error;
  }
  return own;
}

function startDocker(folder: string, socket: string, env: NodeJS.ProcessEnv): ChildProcess {
  const parameters = [
    ...['--host', `unix://${socket}`, '--data-root', path.join(folder, 'lib/docker'), '--exec-root', '/run/docker'],
    ...['--pidfile', '/run/docker.pid', '--bridge=none', '--iptables=false', '--ip6tables=false'],
  ];
  const enter = path.join(import.meta.dirname, '../enter.sh');
  return spawn(enter, [folder, 'dockerd', ...parameters], {
    detached: true,
    env: { ...env, SHARE_NETWORK: '1' },
    stdio: ['pipe', 'ignore', 'ignore'],
  });
}

async function end(child: ChildProcess): Promise<void> {
  child.stdin?.destroy();
  if (child.exitCode === null) await once(child, 'exit');
}

function answers(docker: Docker): Promise<boolean> {
  return docker.run('docker', 'info').then(
    () => true,
    () => false,
  );
}

async function git(...parameters: readonly string[]): Promise<string> {
  return (await execute('git', ['-C', REPOSITORY, ...parameters], { maxBuffer: OUTPUT_BYTES })).stdout;
}
