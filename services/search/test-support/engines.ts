import { describe } from 'vitest';
import type { EngineOptions, IndexUnderTest } from './index-under-test.ts';
import { openCopiedIndex, openPostgresIndex } from './postgres-index.ts';

/** Opens an index that is empty and nobody else's. */
export type OpenIndex = (options?: EngineOptions) => Promise<IndexUnderTest>;

/** Every engine behind the port, each with how a test opens an index on it. */
const ENGINES: readonly { readonly name: string; readonly open: OpenIndex }[] = [
  { name: 'Postgres', open: openPostgresIndex },
  { name: 'Postgres with a copy in the process', open: openCopiedIndex },
];

/** What every engine has to keep: the same tests for each, which know of the port alone. */
export function describeEngines(tests: (open: OpenIndex) => void): void {
  for (const { name, open } of ENGINES) describe(`an index on ${name}`, () => tests(open));
}
