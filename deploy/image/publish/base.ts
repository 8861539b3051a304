import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { run } from '@ces/chart/programs/programs';
import { REPOSITORY } from '@ces/topology/services';
import { ARCHITECTURES } from './architectures.ts';
import { failureOf } from './failure.ts';
import type { Order } from './order.ts';
import type { Tools } from './tools.ts';
import { pack, type Tree } from './tree.ts';

export interface Base {
  readonly reference: string;
  /** Name for labels and provenance, with the same digest. */
  readonly name: string;
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
