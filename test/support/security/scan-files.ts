import { open, readdir } from 'node:fs/promises';
import path from 'node:path';
import { found, type Needle } from './token-forms.ts';

const CHUNK_BYTES = 16 * 1024 * 1024;

export interface Scanned {
  readonly files: number;
  readonly bytes: number;
  readonly leaks: readonly string[];
}

/**
 * Searches every file below the directories, binary files included. Follows only the directories'
 * own links.
 */
export async function scanFiles(directories: readonly string[], needles: readonly Needle[]): Promise<Scanned> {
  let [files, bytes] = [0, 0];
  const leaks: string[] = [];
  for (const directory of directories) {
    const entries = await readdir(`${directory}/`, { recursive: true, withFileTypes: true });
    for (const entry of entries) {
      if (!entry.isFile()) continue;
      const filePath = path.join(entry.parentPath, entry.name);
      const one = await scanFile(filePath, needles).catch(ignoreMissing);
      files += 1;
      bytes += one.bytes;
      leaks.push(...one.leaks.map((what) => `${filePath}: ${what}`));
    }
  }
  return { files, bytes, leaks };
}

async function scanFile(filePath: string, needles: readonly Needle[]) {
  await using file = await open(filePath, 'r');
  const overlap = Math.max(...needles.map((needle) => needle.bytes.length)) - 1;
  const leaks = new Set<string>();
  const chunk = Math.min(CHUNK_BYTES, (await file.stat()).size + 1);
  const buffer = Buffer.alloc(overlap + chunk);
  let [kept, bytes] = [0, 0];
  for (;;) {
    const { bytesRead } = await file.read(buffer, kept, chunk);
    if (bytesRead === 0) return { bytes, leaks: [...leaks] };
    bytes += bytesRead;
    const filled = buffer.subarray(0, kept + bytesRead);
    for (const what of found(needles, filled)) leaks.add(what);
    kept = Math.min(overlap, filled.length);
    filled.copy(buffer, 0, filled.length - kept);
  }
}

/** The server may remove a file during the scan. */
function ignoreMissing(error: NodeJS.ErrnoException): { bytes: number; leaks: string[] } {
  if (error.code === 'ENOENT') return { bytes: 0, leaks: [] };
  throw error;
}
