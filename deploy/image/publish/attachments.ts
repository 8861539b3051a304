import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { run } from '@ces/chart/programs/programs';
import { failureOf } from './failure.ts';
import type { Image } from './image.ts';
import { type Build, provenanceOf } from './provenance.ts';
import type { Tool, Tools } from './tools.ts';
import { ARCHITECTURES } from './tree.ts';

export const TYPES = {
  spdx: 'application/spdx+json',
  cyclonedx: 'application/vnd.cyclonedx+json',
  provenance: 'application/vnd.in-toto+json',
} as const;
const LISTS = [
  ['spdx', 'spdx-json', 'spdx.json'],
  ['cyclonedx', 'cyclonedx-json', 'cdx.json'],
] as const;

/** Attaches missing SBOMs to each platform's image; returns the references of all. */
export async function attachSboms(tools: Tools, { platforms }: Image, folder: string): Promise<readonly string[]> {
  const lists: string[] = [];
  for (const architecture of ARCHITECTURES) {
    const image = platforms[architecture];
    const fileOf = (suffix: string) => path.join(folder, `image-linux-${architecture}.${suffix}`);
    const outputs = LISTS.flatMap(([, output, suffix]) => ['--output', `${output}=${fileOf(suffix)}`]);
    let scanned: Promise<string> | undefined;
    // One scan writes the lists in all formats.
    const scan = () => {
      scanned ??= tools.syft('scan', `registry:${image}`, ...outputs);
      return scanned;
    };
    for (const [kind, , suffix] of LISTS) lists.push(await attachOnce(tools, image, TYPES[kind], fileOf(suffix), scan));
  }
  return lists;
}

/** Attaches the provenance unless one is attached already; returns its reference. */
export async function attachProvenance(tools: Tools, build: Build, folder: string): Promise<string> {
  const file = path.join(folder, 'provenance.json');
  const write = () => writeFile(file, JSON.stringify(provenanceOf(build)));
  return await attachOnce(tools, build.reference, TYPES.provenance, file, write);
}

async function attachOnce(
  { oras, paths }: Tools,
  image: string,
  type: string,
  file: string,
  make: () => Promise<unknown>,
) {
  const [there] = await attachedTo(oras, image, type);
  if (there !== undefined) return there;
  try {
    await make();
    return await attach(paths.oras, image, type, file);
  } catch (error) {
    throw failureOf(`${path.basename(file)} could not be made`, error);
  }
}

/** Attaches a file as an OCI referrer, without its folder; returns the reference to sign. */
async function attach(oras: string, image: string, type: string, file: string): Promise<string> {
  const options = ['--plain-http', '--format', 'json', '--artifact-type', type];
  const call = [`--chdir=${path.dirname(file)}`, oras, 'attach', ...options, image, `${path.basename(file)}:${type}`];
  const printed = await run('env', call);
  return at(image, (JSON.parse(printed) as { readonly digest: string }).digest);
}

export async function attachedTo(oras: Tool, image: string, type: string): Promise<readonly string[]> {
  const printed = await oras('discover', '--plain-http', '--format', 'json', '--artifact-type', type, image);
  const found = JSON.parse(printed) as { readonly referrers?: readonly { readonly digest: string }[] };
  return (found.referrers ?? []).map(({ digest }) => at(image, digest));
}

export async function readAttached(oras: Tool, attached: string, folder: string): Promise<unknown> {
  const manifest = await oras('manifest', 'fetch', '--plain-http', attached);
  const [layer] = (JSON.parse(manifest) as { readonly layers: readonly { readonly digest: string }[] }).layers;
  const file = path.join(folder, 'attached.json');
  await oras('blob', 'fetch', '--plain-http', '--output', file, at(attached, layer?.digest ?? ''));
  return JSON.parse(await readFile(file, 'utf8'));
}

function at(reference: string, digest: string): string {
  return `${reference.slice(0, reference.indexOf('@'))}@${digest}`;
}
