import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { ARCHITECTURES } from './architectures.ts';
import { attach, attachedTo, TYPES } from './attachments.ts';
import { failureOf } from './failure.ts';
import type { Image } from './image.ts';
import { type Build, provenanceOf } from './provenance.ts';
import type { Tools } from './tools.ts';

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
