import { readFileSync } from 'node:fs';

const FRESH_MS = 1_000;

/**
 * Returns a reader of a file's current content; it rereads the file at most once a second. A
 * missing file yields undefined, and a broken one the last valid value. Throws while no valid value
 * is known.
 */
export function watchedFile<T>(path: string, parse: (text: string) => T): () => T | undefined {
  let text: string | undefined;
  let value: T | undefined;
  let readAt = Number.NEGATIVE_INFINITY;
  const read = () => {
    try {
      const now = readFileSync(path, 'utf8');
      if (now === text) return;
      value = parse(now);
      text = now;
    } catch (error) {
      if (text === undefined && (error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  };
  return () => {
    if (performance.now() - readAt > FRESH_MS) {
      read();
      readAt = performance.now();
    }
    return value;
  };
}
