import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { run } from '@ces/chart/programs/programs';
import { REPOSITORY } from '@ces/topology/services';
import { failureOf } from './failure.ts';
import type { Order } from './order.ts';
import type { Tools } from './tools.ts';
import { ARCHITECTURES, type Architecture, type Layers, pack, type Tree } from './tree.ts';

export const IMAGE = 'company-evidence-search';

export interface Image {
  readonly reference: string;
  readonly platforms: Readonly<Record<Architecture, string>>;
}

interface Parts {
  readonly tools: Tools;
  readonly repository: string;
  readonly base: Base;
  readonly layers: Layers;
  readonly tree: Tree;
  readonly version: string;
}

interface Base {
  readonly reference: string;
  /** Name for labels and provenance, with the same digest. */
  readonly name: string;
}

/** npm packages contain native code, so no emulation is necessary. */
export async function makeImage(parts: Parts): Promise<Image> {
  const { repository, version, tools } = parts;
  const platforms = { amd64: await makePlatform(parts, 'amd64'), arm64: await makePlatform(parts, 'arm64') };
  const manifests = ARCHITECTURES.flatMap((architecture) => ['--manifest', platforms[architecture]]);
  await tools.crane('index', 'append', ...manifests, '--tag', `${repository}:${version}`);
  return { reference: await named(parts, version), platforms };
}

async function makePlatform(parts: Parts, architecture: Architecture): Promise<string> {
  const { tools, repository, base, layers } = parts;
  const tag = `linux-${architecture}`;
  const platform = ['--platform', `linux/${architecture}`];
  const added = [layers.common, layers.native[architecture]].flatMap((layer) => ['--new_layer', layer]);
  const onto = ['--base', base.reference, ...added, '--new_tag', `${repository}:${tag}`];
  await tools.crane('append', ...platform, ...onto).catch((error: unknown) => {
    throw failureOf(`The base ${base.name} could not be taken for linux/${architecture}`, error);
  });
  await tools.crane('mutate', `${repository}:${tag}`, ...settings(parts), '--tag', `${repository}:${tag}`);
  return await named(parts, tag);
}

/** The same configuration as the last stage of deploy/Dockerfile. */
function settings({ base, version, tree }: Parts): readonly string[] {
  const labels = {
    title: IMAGE,
    description: 'Dated, quoted, linked evidence about companies, metered exactly once.',
    version,
    revision: tree.revision,
    'base.name': base.name,
    licenses: 'LicenseRef-Proprietary',
  };
  return [
    ...Object.entries(labels).flatMap(([name, value]) => ['--label', `"org.opencontainers.image.${name}=${value}"`]),
    ...['--env', 'NODE_ENV=production', '--workdir', '/app', '--user', '65532:65532'],
    ...['--entrypoint', '/nodejs/bin/node,/app/deploy/image/src/main.ts'],
  ];
}

async function named({ tools, repository }: Parts, tag: string): Promise<string> {
  return `${repository}@${(await tools.crane('digest', `${repository}:${tag}`)).trim()}`;
}

/** The base image: one named by digest, or one assembled here and kept in this run's registry. */
export async function findBase(order: Order, tools: Tools, scratch: string, tree: Tree, dockerfileBase: string) {
  if (order.assemblesBase) return await assembleBase(tools, scratch, tree);
  const reference = order.base ?? dockerfileBase;
  return { reference, name: reference };
}

async function assembleBase({ crane }: Tools, scratch: string, { folder, seconds }: Tree): Promise<Base> {
  const repository = `${scratch}/base`;
  for (const architecture of ARCHITECTURES) {
    const root = `${folder}-base-${architecture}`;
    await mkdir(root);
    await run(path.join(REPOSITORY, 'deploy/image/assemble-base.sh'), [architecture, root]).catch((error: unknown) => {
      throw failureOf(`The base for ${architecture} could not be made from packages`, error);
    });
    await pack(`${root}.tar`, root, seconds);
    const tag = `${repository}:${architecture}`;
    await crane('append', '--oci-empty-base', '--new_layer', `${root}.tar`, '--new_tag', tag);
    await crane('mutate', tag, '--set-platform', `linux/${architecture}`, '--user', '65532', '--tag', tag);
  }
  const manifests = ARCHITECTURES.flatMap((architecture) => ['--manifest', `${repository}:${architecture}`]);
  await crane('index', 'append', ...manifests, '--tag', `${repository}:all`);
  const digest = (await crane('digest', `${repository}:all`)).trim();
  return { reference: `${repository}@${digest}`, name: `assembled-from-debian-and-npm@${digest}` };
}
