import { createPool } from '@ces/chassis/postgres/pool';
import { createLogger } from '@ces/chassis/telemetry/log';
import { startProgress } from '@ces/cli/output/progress';
import { loadVocabulary } from '@ces/search/vocabulary/load-vocabulary';
import { atLeastOne, readArguments } from '../support/arguments.ts';
import { type Figures, goOn, runBenchmark } from '../support/bench.ts';
import { openKeptDatabase, openOwnDatabase } from '../support/index-database.ts';
import { configureEngine, openIndex } from '../support/search-engine.ts';
import { figuresOfRebuild, textOfRebuild } from './rebuild/report.ts';
import { rebuildUnderSearches } from './rebuild/under-searches.ts';
import { fillByPartition } from './search/fill-by-partition.ts';
import { generateRecord } from './search/generated-record.ts';
import { keptMoment } from './search/kept-moment.ts';
import { readSize } from './search/sizes.ts';

const USAGE =
  'npm run lab -- rebuild [--size 100k|1m|10m|…] [--partitions N] [--queries N] [--opensearch URL] [--keep DIRECTORY] [--json FILE]';

const { values: options } = readArguments(USAGE, {
  size: { type: 'string', default: '100k' },
  partitions: { type: 'string' },
  queries: { type: 'string' },
  opensearch: { type: 'string' },
  keep: { type: 'string' },
  json: { type: 'string' },
});

await runBenchmark(measure, options.json);

/**
 * Measures how fast parallel partitions fill and rebuild an OpenSearch index, and what searches and
 * new evidence observe meanwhile.
 */
async function measure(signal: AbortSignal): Promise<Figures> {
  const size = readSize(options.size, USAGE);
  const partitions = atLeastOne(options.partitions, 2);
  const now = options.keep ? await keptMoment(options.keep, size) : new Date();
  const record = generateRecord(size, now);
  const queries = record.queries(atLeastOne(options.queries, 60));
  await using stack = new AsyncDisposableStack();
  using progress = startProgress(process.stderr, 'rebuild');
  const at = (phase: string) => (share: number) => {
    goOn(signal);
    progress.at(phase, share);
  };
  const database = stack.use(await (options.keep ? openKeptDatabase(options.keep) : openOwnDatabase()));
  const kept = options.keep && String(size);
  const { settings, openSearch } = stack.use(
    await configureEngine('opensearch', { openSearch: options.opensearch, kept }),
  );
  const pool = createPool({
    connectionString: database.url,
    max: 4,
    applicationName: 'rebuild bench',
    logger: createLogger('search', 'error'),
  });
  stack.defer(() => pool.end());
  const around = { databaseUrl: database.url, pool, vocabulary: loadVocabulary() };
  const { index } = stack.use(await openIndex({ settings }, around));
  const shared = { index, databaseUrl: database.url, settings, partitions };
  const filled = await fillByPartition(shared, record, at('filling'));
  const forget = async (above: number) => await openSearch?.forget(above);
  const rebuilt = await rebuildUnderSearches({ shared, record, queries, forget }, at('rebuilding'));
  const seen = { size, partitions, filled, rebuilt };
  return { json: figuresOfRebuild(seen), text: textOfRebuild(seen) };
}
