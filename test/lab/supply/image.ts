import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { hasGo, run } from '@ces/chart/check/programs';
import { attach, attachedTo, readAttached, TYPES } from '@ces/image/publish/attachments';
import { imageWorkspaces } from '@ces/image/publish/dockerfile';
import { type Provenance, provenanceFaults, provenanceOf } from '@ces/image/publish/provenance';
import { findTools, startRegistry, type Tools } from '@ces/image/publish/tools';
import { type BuiltImage, buildImage, printedBy, refusesTag } from './built-image.ts';
import { contentFaults, type Entry, readListing } from './contents.ts';
import { installedFor, type Lock, nameOf, readLock } from './lock.ts';
import { type Contents, countParts, type PartsList, partFaults } from './parts.ts';
import { moveReferrers } from './referrers.ts';
import { type Keys, makeKeys } from './signing.ts';
import { inFolder, report, say } from './trial.ts';

const OS_PACKAGE = /^var\/lib\/dpkg\/status\.d\/([^/]+?)(\.md5sums)?$/;
const PROVENANCE = 'provenance.json';
const KINDS = ['spdx', 'cyclonedx', 'provenance'] as const;
const LIBRARY = /^(?!app\/).*\.so(?:\.|$)/;

type Lists = Readonly<Record<'spdx' | 'cyclonedx', string>>;

const { values } = parseArgs({
  options: { 'assemble-bases': { type: 'boolean', default: false }, keep: { type: 'string' } },
});

process.exitCode = await main();

/**
 * Builds, lists, signs and verifies the image in a private registry, and checks that altered
 * content is rejected. Returns 1 on a fault.
 */
async function main(): Promise<number> {
  const lacking = await lackingProgram();
  if (lacking !== undefined) {
    process.stderr.write(`${lacking}\n`);
    return 2;
  }
  return await inFolder('ces-image-', tryImage);
}

async function lackingProgram(): Promise<string | undefined> {
  const answers = await run('docker', ['info']).then(
    () => true,
    () => false,
  );
  if (!answers) return 'The image is built by Docker, whose daemon does not answer here.';
  return (await hasGo()) ? undefined : 'crane, oras, notation and syft are built by Go, which is not installed here.';
}

async function tryImage(folder: string): Promise<void> {
  const tools = await findTools();
  await mkdir(path.join(folder, 'registry'));
  await using registry = await startRegistry(tools.paths.crane, path.join(folder, 'registry'));
  const built = await buildImage({ tools, registry: registry.host, folder, assemble: values['assemble-bases'] });
  say(`built ${built.reference} of ${built.revision}`);
  report(
    'a base that is named by a tag alone is refused by the build',
    (await refusesTag(built)) ? [] : ['it was built'],
  );
  const lists = await checkContents(tools, built, folder);
  const keys = await makeKeys(tools.paths.notation, folder, 'release');
  await publish(tools, built, keys, lists, folder);
  await checkVerification(tools, built, keys, folder);
  await checkRefusals(tools, built, keys, await makeKeys(tools.paths.notation, folder, 'stranger'), folder);
  if (values.keep !== undefined)
    await keep(values.keep, [...Object.values(lists), path.join(folder, PROVENANCE), keys.certificate]);
}

/** The image must contain exactly what the lockfile lists, and the SBOM must list all of it. */
async function checkContents(tools: Tools, built: BuiltImage, folder: string) {
  const exported = path.join(folder, 'image.tar');
  await tools.crane('export', built.reference, exported);
  const entries = readListing(await tar('--list', '--verbose', '--numeric-owner', '--full-time', '--file', exported));
  const lock = await readLock(built.context);
  const expected = installedFor(lock, await imageWorkspaces(built.context));
  report(
    `contents: ${entries.length} files, ${expected.size} npm packages`,
    contentFaults(entries, expected, process.arch === 'arm64' ? 'arm64' : 'x64'),
  );
  const lists = { spdx: path.join(folder, 'image.spdx.json'), cyclonedx: path.join(folder, 'image.cdx.json') };
  const outputs = ['--output', `spdx-json=${lists.spdx}`, '--output', `cyclonedx-json=${lists.cyclonedx}`];
  await tools.syft('scan', `registry:${built.reference}`, ...outputs);
  const spdx = JSON.parse(await readFile(lists.spdx, 'utf8')) as PartsList;
  report(
    `list of parts: ${countParts(spdx)}`,
    partFaults(spdx, await contentsOf(built, entries, exported, lock, expected)),
  );
  return lists;
}

async function contentsOf(
  built: BuiltImage,
  entries: readonly Entry[],
  exported: string,
  lock: Lock,
  expected: ReadonlySet<string>,
): Promise<Contents> {
  const known = entries.map((entry) => OS_PACKAGE.exec(entry.path) ?? []);
  const sums = entries.filter((_, place) => known[place]?.[2]).map(({ path: file }) => file);
  const owned = await tar('--extract', '--to-stdout', '--file', exported, ...sums);
  return {
    npm: new Set([...expected].map((each) => `${nameOf(each)}@${lock[each]?.version}`)),
    debian: new Set(known.flatMap(([, name, isSums]) => (name && !isSums ? name : []))),
    node: (await printedBy(built.tag, '/nodejs/bin/node', '--version')).slice(1),
    libraries: new Set(
      entries
        .filter(({ path: file, mode }) => LIBRARY.test(file) && mode.startsWith('-'))
        .map(({ path: file }) => unified(file)),
    ),
    owned: new Set(owned.split('\n').map((line) => unified(line.slice(line.indexOf('  ') + 2)))),
  };
}

/** Signs the image and each referrer, because a signature covers one digest. */
async function publish({ paths }: Tools, built: BuiltImage, keys: Keys, lists: Lists, folder: string): Promise<void> {
  const provenance = path.join(folder, PROVENANCE);
  await writeFile(provenance, JSON.stringify(provenanceOf(built)));
  await keys.sign(built.reference);
  const files = { ...lists, provenance };
  for (const kind of KINDS) await keys.sign(await attach(paths.oras, built.reference, TYPES[kind], files[kind]));
}

async function checkVerification({ oras }: Tools, built: BuiltImage, keys: Keys, folder: string): Promise<void> {
  await keys.verify(built.reference);
  say('the signature is that of the key');
  for (const kind of KINDS) {
    const [attached = '', ...more] = await attachedTo(oras, built.reference, TYPES[kind]);
    await keys.verify(attached);
    const content = await readAttached(oras, attached, folder);
    const faults = kind === 'provenance' ? provenanceFaults(content as Provenance, built) : [];
    report(`${kind} hangs on it with a signature of the key`, [...faults, ...more.map((one) => `so does ${one}`)]);
  }
}

/** What an attacker can do who can write to the registry but lacks the key. */
async function checkRefusals(
  tools: Tools,
  built: BuiltImage,
  release: Keys,
  stranger: Keys,
  folder: string,
): Promise<void> {
  const layer = path.join(folder, 'layer');
  await mkdir(path.join(layer, 'app'), { recursive: true });
  await writeFile(path.join(layer, 'app/added.mjs'), 'process.exit(0);\n');
  const archive = `${layer}.tar`;
  await tar('--create', '--file', archive, '--directory', layer, '.');
  await tools.crane('append', '--base', built.reference, '--new_layer', archive, '--new_tag', built.tag);
  const repository = built.reference.slice(0, built.reference.indexOf('@'));
  const altered = `${repository}@${(await tools.crane('digest', built.tag)).trim()}`;
  await expectRefusal('an image with one file more under the same tag', () => release.verify(altered));
  await stranger.sign(altered);
  await stranger.verify(altered);
  await expectRefusal('the same with a signature of another key', () => release.verify(altered));
  const moved = await moveReferrers(built.reference, altered);
  report(
    `the same with all ${moved} that hung on the true image`,
    moved === 1 + KINDS.length ? [] : ['others were expected'],
  );
  await expectRefusal('it', () => release.verify(altered));
  for (const kind of KINDS)
    for (const attached of await attachedTo(tools.oras, altered, TYPES[kind]))
      await expectRefusal(`its ${kind}`, () => release.verify(attached));
  await release.verify(built.reference);
  say('the true image is still that of the key');
}

/** A failure for another reason proves nothing about signatures. */
async function expectRefusal(what: string, attempt: () => Promise<unknown>): Promise<void> {
  const reason = await attempt().then(
    () => 'it was taken',
    (error: Error) => error.message,
  );
  report(`${what} is refused`, reason.includes('signature verification failed') ? [] : [reason]);
}

async function keep(folder: string, files: readonly string[]): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const file of files) await copyFile(file, path.join(folder, path.basename(file)));
}

async function tar(...parameters: readonly string[]): Promise<string> {
  return await run('tar', parameters);
}

/** Some systems keep these files only below /usr. */
function unified(file: string): string {
  return file.replace(/^usr\/(?=lib)/, '');
}
