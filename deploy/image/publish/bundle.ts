import { copyFile, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { run } from '@ces/chart/programs/programs';
import { REPOSITORY } from '@ces/topology/services';
import { failureOf } from './failure.ts';
import type { Tools } from './tools.ts';
import type { Item } from './transfer.ts';
import { pack } from './tree.ts';

const SUMS = 'SHA256SUMS';
const TAG = 'org.opencontainers.image.ref.name';

interface Descriptor {
  readonly mediaType: string;
  readonly digest: string;
  readonly size: number;
  readonly annotations?: Readonly<Record<string, string>>;
}

/**
 * OCI layouts of image and chart with referrers, oras, the `load` script and checksums. Returns the
 * archive's SHA-256.
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
  // Renamed when complete, so that a partial archive never has the final name.
  const archive = `${file}.part`;
  try {
    await pack(archive, content, seconds, { options: [`--transform=s,^\\.,${name},S`, '--mode=a+rX,go-w'] });
    await rename(archive, file);
  } catch (error) {
    throw failureOf(`${file} could not be written`, error);
  }
  return (await run('sha256sum', ['--zero', file])).split(' ')[0] ?? '';
}

async function settle(layout: string): Promise<void> {
  await rm(path.join(layout, 'ingest'), { recursive: true, force: true });
  const file = path.join(layout, 'index.json');
  await writeFile(file, normalizeIndex(await readFile(file, 'utf8')));
}

/** oras orders manifests by its concurrent copies; only the tag is kept. */
export function normalizeIndex(index: string): string {
  const { manifests, ...rest } = JSON.parse(index) as { readonly manifests: readonly Descriptor[] };
  const settled = manifests.map(({ mediaType, digest, size, annotations }) => {
    const tag = annotations?.[TAG];
    return { mediaType, digest, size, annotations: tag === undefined ? undefined : { [TAG]: tag } };
  });
  settled.sort((one, other) => (one.digest < other.digest ? -1 : 1));
  return JSON.stringify({ ...rest, manifests: settled });
}

/** In the form of sha256sum, by the paths' bytes. */
async function sumsOf(folder: string): Promise<string> {
  const sums = `find . -type f -printf '%P\\0' | LC_ALL=C sort --zero-terminated | xargs --null sha256sum`;
  return await run('sh', ['-c', sums], folder);
}
