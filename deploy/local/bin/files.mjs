import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';

/**
 * Sorted relative paths of all files in a folder and its subfolders; empty when it does not exist.
 */
export function filesBelow(directory) {
  if (!existsSync(directory)) return [];
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(directory, path.join(entry.parentPath ?? entry.path, entry.name)))
    .sort();
}
