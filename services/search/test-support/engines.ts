import { describeWithOpenSearch } from '@ces/test/support/opensearch/describe-with-opensearch.ts';
import { describe } from 'vitest';
import type { EngineOptions, IndexUnderTest } from './index-under-test.ts';
import { openOpenSearchIndex } from './opensearch-under-test.ts';
import { openPostgresIndex } from './postgres-index.ts';

export type OpenIndex = (options?: EngineOptions) => Promise<IndexUnderTest>;

const ENGINES: readonly {
  readonly name: string;
  readonly open: OpenIndex;
  /** Skips with a message if the engine is unavailable. */
  readonly describe: (name: string, tests: () => void) => void;
}[] = [
  { name: 'Postgres', open: openPostgresIndex, describe },
  { name: 'OpenSearch', open: openOpenSearchIndex, describe: describeWithOpenSearch },
];

/** Runs the same tests on every engine. They may use only the `ObservationIndex` interface. */
export function describeEngines(tests: (open: OpenIndex) => void): void {
  for (const engine of ENGINES) engine.describe(`an index on ${engine.name}`, () => tests(engine.open));
}
