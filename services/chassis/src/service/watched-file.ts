import { readFileSync } from 'node:fs';

const FRESH_MS = 1_000;

/**
 * Rereads at most once a second. A missing file yields undefined, a broken one the last valid
 * value; throws while none is known.
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
