import { createHash } from 'node:crypto';
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { hasGo, run } from '@ces/chart/programs/programs';
import { attachedTo, readAttached, TYPES } from '@ces/image/publish/attachments';
import { CHART } from '@ces/image/publish/chart';
import { imageWorkspaces } from '@ces/image/publish/dockerfile';
import { IMAGE } from '@ces/image/publish/image';
import { type Provenance, provenanceFaults } from '@ces/image/publish/provenance';
import { findTools, startRegistry, type Tools } from '@ces/image/publish/tools';
import { ARCHITECTURES, type Architecture } from '@ces/image/publish/tree';
import { installedFor, nameOf, readLock } from '@ces/image/test-support/lock';
import { REPOSITORY } from '@ces/topology/services';
import { readArguments } from '../support/arguments.ts';
import { contentFaults, readListing } from './contents.ts';
import { countParts, type PartsList, partFaults } from './parts.ts';

const { values } = readArguments('npm run lab -- image [--assemble-base] [--keep FOLDER]', {
  'assemble-base': { type: 'boolean' },
  keep: { type: 'string' },
});

const VERSION = '0.0.0-lab';
const KEY = 'lab';
const OS_PACKAGE = /^var\/lib\/dpkg\/status\.d\/([^/]+?)(\.md5sums)?$/;
const LIBRARY = /^(?!app\/).*\.so(?:\.|$)/;
/** Names of an architecture in images and in `process.arch`. */
const NODE_NAMES = { amd64: 'x64', arm64: 'arm64' } as const;

process.exitCode = await main();

/**
 * Releases the last commit into a registry of its own with a key of its own. Checks what the images
 * hold and list, every signature, and that an altered image is refused. Returns 1 on a fault.
 */
async function main(): Promise<number> {
  if (!(await hasGo())) {
    process.stderr.write('crane, helm, oras, notation and syft are built by Go, which is not installed here.\n');
    return 2;
  }
  const folder = await mkdtemp(path.join(os.tmpdir(), 'ces-image-'));
  try {
    return (await tryRelease(folder)) === 0 ? 0 : 1;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

interface Trial {
  readonly tools: Tools;
  readonly folder: string;
  /** As `host/name:version` of the image, and as `host/name`. */
  readonly tag: string;
  readonly name: string;
}

async function tryRelease(folder: string): Promise<number> {
  const tools = await findTools();
  await mkdir(path.join(folder, 'registry'));
  await using registry = await startRegistry(tools.paths.crane, path.join(folder, 'registry'));
  await makeKey(tools, folder);
  const target = `${registry.host}/lab`;
  const base = values['assemble-base'] ? ['--assemble-base'] : [];
  const order = ['--registry', target, '--version', VERSION, '--sign', KEY, '--plain-http', ...base];
  process.stdout.write(await run(process.execPath, ['deploy/image/publish/main.ts', ...order], REPOSITORY));
  const name = `${target}/${IMAGE}`;
  const trial: Trial = { tools, folder, name, tag: `${name}:${VERSION}` };
  let faults = 0;
  for (const architecture of ARCHITECTURES) faults += await checkPlatform(trial, architecture);
  faults += await checkIndex(trial, `${target}/${CHART}:${VERSION}`);
  faults += await checkAltered(trial);
  if (values.keep !== undefined) {
    await mkdir(values.keep, { recursive: true });
    await copyFile(path.join(folder, 'notation/localkeys', `${KEY}.crt`), path.join(values.keep, `${KEY}.crt`));
  }
  return faults;
}

/** notation reads keys and trust only from this folder, also in the release. */
async function makeKey({ paths }: Tools, folder: string): Promise<void> {
  process.env.XDG_CONFIG_HOME = folder;
  await run(paths.notation, ['cert', 'generate-test', '--default', KEY]);
  const policy = {
    ...{ name: KEY, registryScopes: ['*'], signatureVerification: { level: 'strict' } },
    ...{ trustStores: [`ca:${KEY}`], trustedIdentities: ['*'] },
  };
  const file = path.join(folder, 'notation/trustpolicy.json');
  await writeFile(file, JSON.stringify({ version: '1.0', trustPolicies: [policy] }));
}

/** The image must contain exactly what the lockfile lists, and the SBOM must list all of it. */
async function checkPlatform({ tools, folder, name, tag }: Trial, architecture: Architecture): Promise<number> {
  const digest = (await tools.crane('digest', '--platform', `linux/${architecture}`, tag)).trim();
  const image = `${name}@${digest}`;
  const exported = path.join(folder, `${architecture}.tar`);
  await tools.crane('export', image, exported);
  const listing = await run('tar', ['--list', '--verbose', '--numeric-owner', '--full-time', '--file', exported]);
  const entries = readListing(listing);
  const lock = await readLock();
  const expected = installedFor(lock, await imageWorkspaces());
  const held = `${architecture} holds ${entries.length} files, ${expected.size} npm packages`;
  let faults = report(held, contentFaults(entries, expected, NODE_NAMES[architecture]));
  const known = entries.map((entry) => OS_PACKAGE.exec(entry.path) ?? []);
  const sums = entries.filter((_, at) => known[at]?.[2]).map(({ path: file }) => file);
  const owned = await run('tar', ['--extract', '--to-stdout', '--file', exported, ...sums]);
  const libraries = entries.filter(({ path: file, mode }) => LIBRARY.test(file) && mode.startsWith('-'));
  const contents = {
    npm: new Set([...expected].map((each) => `${nameOf(each)}@${lock[each]?.version}`)),
    debian: new Set(known.flatMap(([, debian, isSums]) => (debian && !isSums ? debian : []))),
    libraries: new Set(libraries.map(({ path: file }) => unified(file))),
    owned: new Set(owned.split('\n').map((line) => unified(line.slice(line.indexOf('  ') + 2)))),
  };
  for (const kind of ['spdx', 'cyclonedx'] as const) {
    const [list = ''] = await attachedTo(tools.oras, image, TYPES[kind]);
    faults += report(`${kind} of ${architecture} is signed`, await signatureFaults(tools, list));
    if (kind === 'cyclonedx') continue;
    const parts = (await readAttached(tools.oras, list, folder)) as PartsList;
    faults += report(`list of parts: ${countParts(parts)}`, partFaults(parts, contents));
  }
  return faults;
}

async function checkIndex({ tools, folder, name, tag }: Trial, chart: string): Promise<number> {
  const index = `${name}@${(await tools.crane('digest', tag)).trim()}`;
  const [provenance = ''] = await attachedTo(tools.oras, index, TYPES.provenance);
  let faults = 0;
  for (const signed of [
    index,
    `${chart.replace(/:[^:]*$/, '')}@${(await tools.crane('digest', chart)).trim()}`,
    provenance,
  ])
    faults += report(`${signed} is signed`, await signatureFaults(tools, signed));
  const locked = createHash('sha256').update(await readFile(path.join(REPOSITORY, 'package-lock.json')));
  const revision = (await run('git', ['rev-parse', 'HEAD'], REPOSITORY)).trim();
  const content = (await readAttached(tools.oras, provenance, folder)) as Provenance;
  const known = { revision, lockDigest: locked.digest('hex'), reference: index };
  return faults + report('the provenance is of this build', provenanceFaults(content, known));
}

/** Write access to the registry is enough to move a tag, without the key. */
async function checkAltered({ tools, folder, name, tag }: Trial): Promise<number> {
  const layer = path.join(folder, 'layer');
  await mkdir(path.join(layer, 'app'), { recursive: true });
  await writeFile(path.join(layer, 'app/added.mjs'), 'process.exit(0);\n');
  await run('tar', ['--create', '--file', `${layer}.tar`, '--directory', layer, '.']);
  const platform = ['--platform', 'linux/amd64'];
  await tools.crane('append', ...platform, '--base', tag, '--new_layer', `${layer}.tar`, '--new_tag', tag);
  const altered = `${name}@${(await tools.crane('digest', tag)).trim()}`;
  const [reason = 'it was taken'] = await signatureFaults(tools, altered);
  // A failure for another reason proves nothing about signatures.
  const faults = reason.includes('signature verification failed') ? [] : [reason];
  return report('an image with one file more under the same tag is refused', faults);
}

async function signatureFaults({ paths }: Tools, reference: string): Promise<readonly string[]> {
  return await run(paths.notation, ['verify', '--insecure-registry', reference]).then(
    () => [],
    (error: Error) => [error.message],
  );
}

function report(what: string, faults: readonly string[]): number {
  process.stdout.write(`${what}${faults.length === 0 ? '' : ': not so'}\n`);
  for (const fault of faults) process.stdout.write(`  ${fault}\n`);
  return faults.length;
}

/** Some systems keep these files only below /usr. */
function unified(file: string): string {
  return file.replace(/^usr\/(?=lib)/, '');
}
