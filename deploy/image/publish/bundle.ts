import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { copyFile, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { REPOSITORY } from '@ces/topology/services';
import { failureOf } from './failure.ts';
import type { Tools } from './tools.ts';
import type { Item } from './transfer.ts';
import { pack } from './tree.ts';

const SUMS = 'SHA256SUMS';

/**
 * Writes one archive with image and chart and all that hangs on them, each as an OCI layout under the tag of the version, the
 * program that copies them, and the digests of all files; its SHA-256. `load` in it puts them into another registry.
 */
export async function writeBundle(
  tools: Tools,
  items: readonly Item[],
  { file, version, seconds, folder }: { file: string; version: string; seconds: number; folder: string },
): Promise<string> {
  const name = `ces-${version}`;
  const content = path.join(folder, 'bundle', name);
  await mkdir(content, { recursive: true });
  for (const { what, reference } of items) {
    const to = ['--to-oci-layout', `${path.join(content, what)}:${version}`];
    await tools.oras('cp', '--recursive', '--no-tty', '--from-plain-http', reference, ...to);
    await settle(path.join(content, what));
  }
  await copyFile(tools.paths.oras, path.join(content, 'oras'));
  await copyFile(path.join(REPOSITORY, 'deploy/image/publish/load.sh'), path.join(content, 'load'));
  await writeFile(path.join(content, 'VERSION'), `${version}\n`);
  await writeFile(path.join(content, SUMS), await sumsOf(content));
  // Whole or not at all under its name.
  const archive = `${file}.part`;
  try {
    await pack(archive, content, seconds, `--transform=s,^\\.,${name},S`, '--mode=go-w');
    await rename(archive, file);
  } catch (error) {
    throw failureOf(`${file} could not be written`, error);
  }
  return await digestOfFile(file);
}

/** A layout that is the same for the same content: oras lists what it copied as it comes, and leaves the folder it worked in. */
async function settle(layout: string): Promise<void> {
  await rm(path.join(layout, 'ingest'), { recursive: true, force: true });
  const file = path.join(layout, 'index.json');
  const index = JSON.parse(await readFile(file, 'utf8')) as {
    readonly manifests: readonly { readonly digest: string }[];
  };
  const manifests = [...index.manifests].sort((one, other) => (one.digest < other.digest ? -1 : 1));
  await writeFile(file, JSON.stringify({ ...index, manifests }));
}

/** As sha256sum writes and checks them. */
async function sumsOf(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
  let sums = '';
  for (const file of files.sort()) sums += `${await digestOfFile(file)}  ${path.relative(folder, file)}\n`;
  return sums;
}

async function digestOfFile(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}
