import { describeWithOpenSearch } from '@ces/test/support/opensearch/describe-with-opensearch.ts';
import { describe } from 'vitest';
import type { EngineOptions, IndexUnderTest } from './index-under-test.ts';
import { openOpenSearchIndex } from './opensearch-under-test.ts';
import { openCopiedIndex, openPostgresIndex } from './postgres-index.ts';

/** Opens an index that is empty and nobody else's. */
export type OpenIndex = (options?: EngineOptions) => Promise<IndexUnderTest>;

/** Every engine behind the port, each with how a test opens an index on it. */
const ENGINES: readonly {
  readonly name: string;
  readonly open: OpenIndex;
  /** Skips, with a sentence, where the engine is not there. */
  readonly describe: (name: string, tests: () => void) => void;
}[] = [
  { name: 'Postgres', open: openPostgresIndex, describe },
  { name: 'Postgres with a copy in the process', open: openCopiedIndex, describe },
  { name: 'OpenSearch', open: openOpenSearchIndex, describe: describeWithOpenSearch },
];

/** What every engine has to keep: the same tests for each, which know of the port alone. */
export function describeEngines(tests: (open: OpenIndex) => void): void {
  for (const engine of ENGINES) engine.describe(`an index on ${engine.name}`, () => tests(engine.open));
}
