import { createPool } from '@ces/chassis/postgres/pool';
import { createLogger } from '@ces/chassis/telemetry/log';
import type { ObservationIndex } from '@ces/search/index/observation-index';
import { loadVocabulary, type Vocabulary } from '@ces/search/vocabulary/load-vocabulary';
import { openOwnDatabase } from '../../support/index-database.ts';
import { configureEngine, openIndex, type SearchEngine } from '../../support/search-engine.ts';
import type { Corpus } from '../relevance-index/corpus.ts';
import { load } from '../relevance-index/corpus-index.ts';

export interface BothEngines extends AsyncDisposable {
  readonly vocabulary: Vocabulary;
  /** Postgres without a limit on scored matches. */
  readonly reference: ObservationIndex;
  readonly candidate: ObservationIndex;
}

const NO_END = 100_000_000;
const STATEMENT_TIMEOUT_MS = 60_000;

export async function openBothEngines(
  engine: SearchEngine,
  corpus: Corpus,
  openSearch: string | undefined,
): Promise<BothEngines> {
  await using opening = new AsyncDisposableStack();
  const database = opening.use(await openOwnDatabase());
  const pool = createPool({
    connectionString: database.url,
    max: 4,
    applicationName: 'parity',
    pipeline: true,
    logger: createLogger('bench', 'warn'),
    statementTimeoutMs: 600_000,
  });
  opening.defer(() => pool.end());
  const vocabulary = loadVocabulary();
  const open = async (name: SearchEngine, budget?: number) => {
    const configured = opening.use(
      await configureEngine(name, { budget, openSearch, statementTimeoutMs: STATEMENT_TIMEOUT_MS }),
    );
    return opening.use(await openIndex(configured, { databaseUrl: database.url, pool, vocabulary })).index;
  };
  const reference = await open('postgres', NO_END);
  const candidate = await open(engine);
  for (const index of [reference, candidate]) await load(index, corpus);
  const opened = opening.move();
  return { vocabulary, reference, candidate, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}
