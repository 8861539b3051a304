import { createHash } from 'node:crypto';
import { access, mkdir, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';

export const REPOSITORY = path.resolve(import.meta.dirname, '../../../..');
const CACHE = path.join(REPOSITORY, '.cache/kubernetes');

/**
 * Returns a folder with the output of `make`, which runs only if the cache has none. `about` lists
 * all inputs. The folder appears atomically.
 */
export async function cached(name: string, about: readonly string[], make: (folder: string) => Promise<void>) {
  const digest = createHash('sha256').update(JSON.stringify(about)).digest('hex').slice(0, 12);
  const folder = path.join(CACHE, `${name}-${digest}`);
  if (await isThere(folder)) return folder;
  await mkdir(CACHE, { recursive: true });
  const staging = await mkdtemp(path.join(CACHE, 'unfinished-'));
  const begun = performance.now();
  process.stderr.write(`making ${name} …\n`);
  try {
    await make(staging);
    await rename(staging, folder);
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
  process.stderr.write(`${name} made in ${Math.round((performance.now() - begun) / 1_000)} s\n`);
  return folder;
}

export async function textsOf(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const files = entries.flatMap((entry) => (entry.isFile() ? entry.name : [])).sort();
  return await Promise.all(files.map(async (file) => `${file}\n${await readFile(path.join(folder, file), 'utf8')}`));
}

async function isThere(file: string): Promise<boolean> {
  return await access(file).then(
    () => true,
    () => false,
  );
}
