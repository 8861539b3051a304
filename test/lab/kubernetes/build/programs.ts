import { execFile } from 'node:child_process';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { findProgram } from '@ces/chart/check/programs';
import { cached, textsOf } from './cache.ts';

const execute = promisify(execFile);
const OUTPUT_BYTES = 64 * 1024 * 1024;
const SOURCES = path.join(import.meta.dirname, '../programs');
/** Debian's packages as `name=version` of its release 12, whose signatures apt checks. */
const PACKAGES = [
  ...['nftables=1.0.6-2+deb12u2', 'libnftables1=1.0.6-2+deb12u2', 'libnftnl11=1.2.4-2', 'libmnl0=1.0.4-3'],
  ...['libjansson4=2.14-2'],
];

/** What policies are tried with. */
export interface Tools {
  /** On PATH of everything within: nft. */
  readonly bin: string;
  readonly probe: string;
}

/** Builds or unpacks what is not there yet: a minute. */
export async function findTools(): Promise<Tools> {
  // The chart is rendered within, where there is no way out to a registry.
  await findProgram('helm');
  const debian = await unpackPackages();
  const bin = await cached('tools', [debian], async (folder) => {
    const libraries = path.join(debian, 'usr/lib/x86_64-linux-gnu');
    const nft = `#!/bin/sh\nLD_LIBRARY_PATH=${libraries} exec ${debian}/usr/sbin/nft "$@"\n`;
    await writeFile(path.join(folder, 'nft'), nft, { mode: 0o755 });
  });
  return { bin, probe: path.join(await buildModule('probe'), 'probe') };
}

async function buildModule(name: string): Promise<string> {
  const source = path.join(SOURCES, name);
  return await cached(name, await textsOf(source), async (folder) => {
    const parameters = ['build', '-trimpath', '-mod=readonly', '-o', path.join(folder, name), '.'];
    const env = { ...process.env, CGO_ENABLED: '0', GOWORK: 'off' };
    await execute('nice', ['-n', '15', 'go', ...parameters], { cwd: source, env, maxBuffer: OUTPUT_BYTES });
  });
}

/** Nothing is installed: the packages are unpacked into one folder. */
async function unpackPackages(): Promise<string> {
  return await cached('debian', PACKAGES, async (folder) => {
    const archives = path.join(folder, 'archives');
    await mkdir(archives);
    const isolated = ['-o', 'APT::Sandbox::User='];
    await execute('apt-get', [...isolated, 'download', ...PACKAGES], { cwd: archives }).catch((error: Error) => {
      throw new Error(`Debian's packages could not be fetched (apt-get update, on Debian 12?): ${error.message}`);
    });
    for (const archive of await readdir(archives))
      await execute('dpkg-deb', ['-x', path.join(archives, archive), folder]);
  });
}
