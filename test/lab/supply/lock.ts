import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { REPOSITORY } from '@ces/topology/services';

/** What a lock says of a package or, under the folder of one, of a workspace. */
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

/** The packages of a package-lock.json by the folders they are installed in. */
export type Lock = Readonly<Record<string, Locked>>;

export async function readLock(tree = REPOSITORY): Promise<Lock> {
  const text = await readFile(path.join(tree, 'package-lock.json'), 'utf8');
  return (JSON.parse(text) as { packages: Lock }).packages;
}

/** The name of what is installed in a folder. */
export function nameOf(folder: string): string {
  return folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length);
}

/** Folders of what an installation of these workspaces without development and optional packages brings, workspaces left out. */
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

/** As Node looks for it: in the folder's own node_modules, then in those above. */
function find(lock: Lock, from: string, name: string): string {
  for (let folder = from; ; folder = path.posix.dirname(folder)) {
    const candidate = path.posix.join(folder, 'node_modules', name);
    if (lock[candidate]) return candidate;
    if (folder === '' || folder === '.') throw new Error(`the lock has no ${name} for ${from || 'the root'}`);
  }
}
