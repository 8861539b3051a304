import { installedFor, type Lock, type Locked, nameOf } from './lock.ts';

export interface Dependency {
  readonly name: string;
  readonly version: string;
  /** Where it is installed. */
  readonly folder: string;
  /** `image`: part of the image; `local`: of `npm start` alone; `work`: of tests and tools. */
  readonly use: 'image' | 'local' | 'work';
  /** What makes it noteworthy beside being named: `runs a script`, `native`, `pre-release`, `indirect`. */
  readonly notes: readonly string[];
}

/**
 * Every package that a package.json of the repository names, and of those behind them each that runs a script when it is
 * installed, carries native code for this platform, or is a pre-release.
 */
export function listDependencies(lock: Lock, imageWorkspaces: readonly string[]): readonly Dependency[] {
  const inImage = installedFor(lock, imageWorkspaces);
  const workspaces = Object.entries(lock).filter(([folder]) => !folder.includes('node_modules/'));
  const direct = namesIn(workspaces, 'dependencies', 'devDependencies', 'optionalDependencies');
  const optional = namesIn(workspaces, 'optionalDependencies');
  return Object.entries(lock).flatMap(([folder, locked]) => {
    if (!folder.includes('node_modules/') || locked.link || !isForThisPlatform(locked)) return [];
    const name = nameOf(folder);
    const named = direct.has(name) && folder === `node_modules/${name}`;
    const notes = notesOf(locked);
    if (!named && notes.length === 0) return [];
    const use = inImage.has(folder)
      ? 'image'
      : optional.has(name) || isOptionalOf(lock, optional, name)
        ? 'local'
        : 'work';
    return [{ name, version: locked.version ?? '', folder, use, notes: named ? notes : ['indirect', ...notes] }];
  });
}

type Kind = 'dependencies' | 'devDependencies' | 'optionalDependencies';

function namesIn(workspaces: readonly (readonly [string, Locked])[], ...kinds: readonly Kind[]): ReadonlySet<string> {
  return new Set(workspaces.flatMap(([, locked]) => kinds.flatMap((kind) => Object.keys(locked[kind] ?? {}))));
}

function isOptionalOf(lock: Lock, optional: ReadonlySet<string>, name: string): boolean {
  return [...optional].some((one) => name in (lock[`node_modules/${one}`]?.optionalDependencies ?? {}));
}

function notesOf({ version = '', hasInstallScript, os }: Locked): string[] {
  return [
    ...(hasInstallScript ? ['runs a script'] : []),
    ...(os ? ['native'] : []),
    ...(version.includes('-') ? ['pre-release'] : []),
  ];
}

function isForThisPlatform({
  os,
  ...locked
}: Locked & { readonly cpu?: readonly string[]; readonly libc?: readonly string[] }) {
  const fits = (wanted: readonly string[] | undefined, own: string) => wanted === undefined || wanted.includes(own);
  return fits(os, 'linux') && fits(locked.cpu, 'x64') && fits(locked.libc, 'glibc');
}
