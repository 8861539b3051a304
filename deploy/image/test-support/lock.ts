import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { REPOSITORY } from '@ces/topology/services';

interface Locked {
  readonly version?: string;
  readonly resolved?: string;
  readonly link?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
  readonly hasInstallScript?: boolean;
  readonly os?: readonly string[];
  readonly deprecated?: string;
}

export type Lock = Readonly<Record<string, Locked>>;

export async function readLock(tree = REPOSITORY): Promise<Lock> {
  const text = await readFile(path.join(tree, 'package-lock.json'), 'utf8');
  return (JSON.parse(text) as { packages: Lock }).packages;
}

export function nameOf(folder: string): string {
  return folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length);
}

/**
 * Folders that an install of these workspaces without dev and optional dependencies creates,
 * excluding workspaces.
 */
export function installedFor(lock: Lock, workspaces: readonly string[]): ReadonlySet<string> {
  const seen = new Set<string>();
  const waiting = workspaces.map((name) => find(lock, '', name));
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    if (seen.has(folder)) continue;
    seen.add(folder);
    waiting.push(...neededBy(lock, folder));
  }
  return new Set([...seen].filter((folder) => folder.includes('node_modules/') && !lock[folder]?.link));
}

function neededBy(lock: Lock, folder: string): string[] {
  const { link, resolved, dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta } =
    lock[folder] ?? {};
  if (link && resolved) return [resolved];
  const needed = Object.keys(dependencies ?? {}).filter((name) => !optionalDependencies?.[name]);
  const peers = Object.keys(peerDependencies ?? {}).filter((name) => !peerDependenciesMeta?.[name]?.optional);
  return [...needed, ...peers].map((name) => find(lock, folder, name));
}

/** Resolves like Node: in the folder's node_modules, then in its parents. */
function find(lock: Lock, from: string, name: string): string {
  for (let folder = from; ; folder = path.posix.dirname(folder)) {
    const candidate = path.posix.join(folder, 'node_modules', name);
    if (lock[candidate]) return candidate;
    if (folder === '' || folder === '.') throw new Error(`the lock has no ${name} for ${from || 'the root'}`);
  }
}
