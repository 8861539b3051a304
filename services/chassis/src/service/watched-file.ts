import { readFileSync } from 'node:fs';

/** How old what was read of a file may be when it is asked for, in milliseconds. */
const FRESH_MS = 1_000;

/**
 * What a file says, read again when it is asked for and a second old. A file that is not there says nothing; one that can no
 * longer be read, or is of no use, says what it last said. Throws only while it has said nothing yet.
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
