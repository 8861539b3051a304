import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe } from 'vitest';

/**
 * Documents that the sources published. They are next to the repository, never in it. Ends with a
 * slash.
 */
export const PUBLISHED = fileURLToPath(new URL('../../../../shared/data/', import.meta.url));

/** Skips the tests with a message if there are no published documents. */
export function describePublished(name: string, define: () => void): void {
  const isThere = existsSync(PUBLISHED);
  if (!isThere) console.log(`${name}: skipped, ../shared/data is not beside the repository.`);
  describe.skipIf(!isThere)(name, define);
}
