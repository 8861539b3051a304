import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { create } from '@bufbuild/protobuf';
import { createPool } from '@ces/chassis/postgres/pool';
import { createLogger } from '@ces/chassis/telemetry/log';
import { KINDS } from '@ces/proto/catalog';
import type { ObservationDocument } from '@ces/proto/ces/lookup/v1/record_pb.ts';
import { PlanSchema, SearchFiltersSchema } from '@ces/proto/ces/search/v1/search_pb.ts';
import { startEncoder } from '@ces/search/embedding/encoder/encoder';
import { digestOf, observationText, quantise } from '@ces/search/embedding/observation-vector';
import { writeVectors } from '@ces/search/embedding/vector-table';
import type { ObservationIndex } from '@ces/search/index/observation-index';
import type { QueryMeaning } from '@ces/search/ranking/ranking';
import { FOUND_FROM } from '@ces/search/ranking/weights';
import { loadVocabulary, type Vocabulary } from '@ces/search/vocabulary/load-vocabulary';
import { openBenchDatabase } from '../../support/index-database.ts';
import { configureEngine, openIndex } from '../../support/search-engine.ts';
import { type Corpus, type JudgedQuery, readCorpus, readLines } from './corpus.ts';

/** The memory index of a corpus, with the vectors of the encoder that the product ships. */
export interface CorpusIndex extends AsyncDisposable {
  readonly index: ObservationIndex;
  readonly vocabulary: Vocabulary;
  readonly corpus: Corpus;
  readonly judged: readonly JudgedQuery[];
  readonly model: string;
  readonly vectors: ReadonlyMap<bigint, Int8Array>;
  /** What finds and orders by the meaning of a query. */
  meaningOf(query: string, weight: number): Promise<QueryMeaning>;
}

interface CorpusIndexOptions {
  /** A server whose database persists between runs. */
  readonly server?: string | undefined;
  readonly fresh?: boolean | undefined;
  /** Caches the vectors of the corpus between runs. */
  readonly vectors?: string | undefined;
}

const BATCH = 1000;
const TEXTS = 32;
const WITHIN_MS = 600_000;
const WAIT_MS = 200;
const ALMOST_EQUAL = 0.999;

export async function openCorpusIndex(
  directory: string | undefined,
  { server, fresh, vectors: file }: CorpusIndexOptions,
): Promise<CorpusIndex> {
  if (!directory) throw new Error('name the folder of a corpus; further options: --vectors FILE --server URL --fresh');
  await using opening = new AsyncDisposableStack();
  const logger = createLogger('bench', 'warn');
  const encoder = opening.use(startEncoder({ logger, priority: 'foreground' }));
  const { model } = encoder;
  const embed = async (texts: readonly string[], side: 'query' | 'passage') =>
    (await encoder.embed(texts, side, AbortSignal.timeout(WITHIN_MS))).map(quantise);
  const database = opening.use(await openBenchDatabase(server, fresh ?? false));
  const pool = createPool({
    connectionString: database.url,
    max: 4,
    applicationName: 'search bench',
    pipeline: true,
    logger,
    statementTimeoutMs: WITHIN_MS,
  });
  opening.defer(() => pool.end());
  const vocabulary = loadVocabulary();
  const configured = opening.use(await configureEngine('memory'));
  const { index } = opening.use(await openIndex(configured, { databaseUrl: database.url, pool, vocabulary, model }));
  const corpus = await readCorpus(directory);
  await load(index, corpus);
  const vectors = await vectorsOf(corpus.observations, (texts) => embed(texts, 'passage'), file);
  const rows = [...vectors].map(([observationId, vector]) => ({ observationId, digest: digestOf(''), vector }));
  for (let at = 0; at < rows.length; at += BATCH)
    await writeVectors(pool, { model, vectors: rows.slice(at, at + BATCH), gone: [], to: undefined }, 1n);
  // Vectors are read in the order of writing, so the last one comes last.
  for (const last = rows.at(-1); last && !(await findsByMeaning(index, model, last)); ) await pause(WAIT_MS);
  const opened = opening.move();
  return {
    ...{ index, vocabulary, corpus, model, vectors },
    judged: readLines(path.join(directory, 'judgments.jsonl')),
    async meaningOf(query, weight) {
      const [vector = new Int8Array()] = await embed([query], 'query');
      return { model, vector, weight, findsFrom: FOUND_FROM };
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

async function load(target: ObservationIndex, { observations, companies }: Corpus): Promise<void> {
  if ((await target.feedState()).live) return;
  let seq = 0n;
  for (let at = 0; at < observations.length || at < companies.length; at += BATCH) {
    const from = seq === 0n ? undefined : { tx: seq, seq };
    seq += 1n;
    const range = { feed: 'live' as const, from: from as never, to: { tx: seq, seq } as never, complete: true };
    const share = { observations: observations.slice(at, at + BATCH), companies: companies.slice(at, at + BATCH) };
    await target.apply({ ...share, range }, 1n);
  }
  await target.refreshStatistics();
}

/** The file contains vectors of equal length in corpus order. */
async function vectorsOf(
  observations: readonly ObservationDocument[],
  embed: (texts: readonly string[]) => Promise<readonly Int8Array[]>,
  file: string | undefined,
): Promise<Map<bigint, Int8Array>> {
  if (file !== undefined && existsSync(file)) {
    const bytes = await readFile(file);
    const length = bytes.length / observations.length;
    if (!Number.isInteger(length)) throw new Error('these vectors are not of this corpus');
    const vectorAt = (at: number) => new Int8Array(bytes.buffer, bytes.byteOffset + at * length, length);
    return new Map(observations.map(({ id }, at) => [id, vectorAt(at)]));
  }
  const made: Int8Array[] = [];
  for (let at = 0; at < observations.length; at += TEXTS) {
    made.push(...(await embed(observations.slice(at, at + TEXTS).map(observationText))));
    if (at % (TEXTS * 100) === 0) console.error(`${at} of ${observations.length} observations have vectors`);
  }
  if (file !== undefined) await writeFile(file, Buffer.concat(made.map(({ buffer }) => new Uint8Array(buffer))));
  return new Map(observations.map(({ id }, at) => [id, made[at] ?? new Int8Array()]));
}

async function findsByMeaning(
  index: ObservationIndex,
  model: string,
  { observationId, vector }: { readonly observationId: bigint; readonly vector: Int8Array },
): Promise<boolean> {
  const plan = create(PlanSchema, { activity: [{ words: ['zzz'], weight: 1 }] });
  const filters = create(SearchFiltersSchema, { kinds: [...KINDS] });
  const meaning = { model, vector, weight: 1, findsFrom: ALMOST_EQUAL };
  const limits = { companies: 10, observationsPerCompany: 10, timeoutMs: undefined };
  const { hits } = await index.rank({ plan, filters, ...limits, meaning });
  return hits.some((hit) => hit.observationId === observationId);
}
