import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { REPOSITORY } from '@ces/topology/services';

const PINNED = /@sha256:[0-9a-f]{64}$/;

export async function readDockerfile(tree = REPOSITORY): Promise<string> {
  return await readFile(path.join(tree, 'deploy/Dockerfile'), 'utf8');
}

/** External base images of a Dockerfile, with build arguments at their defaults. */
export function basesOf(dockerfile: string): readonly string[] {
  const defaults = new Map([...dockerfile.matchAll(/^ARG (\w+)=(\S+)$/gm)].map(([, name, value]) => [name, value]));
  const stages = new Set<string>();
  const bases = new Set<string>();
  for (const [, image = '', stage] of dockerfile.matchAll(/^FROM (?:--\S+ )*(\S+)(?: AS (\S+))?$/gm)) {
    const base = image.replaceAll(/\$\{(\w+)\}/g, (_, name: string) => defaults.get(name) ?? '');
    if (!stages.has(base)) bases.add(base);
    if (stage) stages.add(stage);
  }
  return [...bases];
}

/** Bases without a digest, which may change between builds. */
export function unpinned(bases: readonly string[]): readonly string[] {
  return bases.filter((base) => !PINNED.test(base));
}

export async function imageWorkspaces(tree = REPOSITORY): Promise<readonly string[]> {
  const script = await readFile(path.join(tree, 'deploy/image/make-app.sh'), 'utf8');
  return [...script.matchAll(/--workspace=(\S+)/g)].map(([, name = '']) => name);
}
