import path from 'node:path';
import { createPool, type Pool } from '@ces/chassis/postgres/pool';
import { createLogger } from '@ces/chassis/telemetry/log';
import type { ObservationIndex } from '@ces/search/index/observation-index';
import { loadVocabulary, type Vocabulary } from '@ces/search/vocabulary/load-vocabulary';
import { openBenchDatabase } from '../../support/index-database.ts';
import { configureEngine, openIndex } from '../../support/search-engine.ts';
import { type Corpus, type JudgedQuery, readCorpus, readJudgments } from './corpus.ts';

export interface CorpusIndex extends AsyncDisposable {
  readonly index: ObservationIndex;
  readonly pool: Pool;
  readonly vocabulary: Vocabulary;
  readonly corpus: Corpus;
  readonly judged: readonly JudgedQuery[];
}

export interface CorpusIndexOptions {
  readonly directory: string | undefined;
  readonly judgments?: string | undefined;
  /** A server whose database persists between runs. */
  readonly server?: string | undefined;
  readonly fresh?: boolean | undefined;
  /** Vectors of this model find and order. */
  readonly model?: string | undefined;
}

const BATCH = 1000;

export async function openCorpusIndex({
  directory,
  judgments,
  server,
  fresh,
  model,
}: CorpusIndexOptions): Promise<CorpusIndex> {
  if (!directory)
    throw new Error('name the folder of a corpus; further options: --judgments FILE --server URL --fresh');
  await using opening = new AsyncDisposableStack();
  const database = opening.use(await openBenchDatabase(server, fresh ?? false));
  const pool = createPool({
    connectionString: database.url,
    max: 4,
    applicationName: 'search bench',
    pipeline: true,
    logger: createLogger('bench', 'warn'),
    statementTimeoutMs: 600_000,
  });
  opening.defer(() => pool.end());
  const vocabulary = loadVocabulary();
  const configured = opening.use(await configureEngine('memory'));
  const { index } = opening.use(await openIndex(configured, { databaseUrl: database.url, pool, vocabulary, model }));
  const corpus = await readCorpus(directory);
  await load(index, corpus);
  const judged = readJudgments(judgments ?? path.join(directory, 'judgments.jsonl'));
  const opened = opening.move();
  return { index, pool, vocabulary, corpus, judged, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}

async function load(target: ObservationIndex, { observations, companies }: Corpus): Promise<void> {
  if ((await target.feedState()).live) return;
  const began = performance.now();
  let seq = 0n;
  for (let at = 0; at < observations.length || at < companies.length; at += BATCH) {
    const from = seq === 0n ? undefined : { tx: seq, seq };
    seq += 1n;
    const range = { feed: 'live' as const, from: from as never, to: { tx: seq, seq } as never, complete: true };
    await target.apply(
      {
        observations: observations.slice(at, at + BATCH),
        companies: companies.slice(at, at + BATCH),
        range,
      },
      1n,
    );
  }
  const seconds = (performance.now() - began) / 1000;
  console.log(
    `loaded ${observations.length} observations in ${seconds.toFixed(1)} s (${Math.round(observations.length / seconds)}/s)`,
  );
  await target.refreshStatistics();
}
