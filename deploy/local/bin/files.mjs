import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';

/** Paths of all files below a folder, relative to it, in one order; none when it is not there. */
export function filesBelow(directory) {
  if (!existsSync(directory)) return [];
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(directory, path.join(entry.parentPath ?? entry.path, entry.name)))
    .sort();
}
