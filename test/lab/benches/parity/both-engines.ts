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
  /** The memory index. */
  readonly reference: ObservationIndex;
  readonly candidate: ObservationIndex;
}

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
  const open = async (name: SearchEngine) => {
    const configured = opening.use(await configureEngine(name, { openSearch }));
    return opening.use(await openIndex(configured, { databaseUrl: database.url, pool, vocabulary })).index;
  };
  const reference = await open('memory');
  const candidate = await open(engine);
  for (const index of [reference, candidate]) await load(index, corpus);
  const opened = opening.move();
  return { vocabulary, reference, candidate, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}
