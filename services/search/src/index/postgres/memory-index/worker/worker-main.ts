import { setTimeout as pause } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { createPool } from '@ces/chassis/postgres/pool';
import { createLogger } from '@ces/chassis/telemetry/log';
import { Code, ConnectError } from '@connectrpc/connect';
import { createMemorySearch } from '../memory-search.ts';
import {
  MEMORY_INDEX_CONNECTIONS,
  type MemoryAnswer,
  type MemoryMessage,
  type MemoryRequest,
  type MemoryWorkerOptions,
} from './messages.ts';
import { packRanking } from './packed-ranking.ts';

/* The thread that owns the memory index. It answers each request with one message. */
const { databaseUrl, tls, mostBytes, model, directory, logLevel } = workerData as MemoryWorkerOptions;
const STATE_EVERY_MS = 100;

const logger = createLogger('search', logLevel);
const pool = createPool({
  connectionString: databaseUrl,
  tls,
  max: MEMORY_INDEX_CONNECTIONS,
  applicationName: 'search index',
  pipeline: true,
  logger,
});
const search = createMemorySearch({
  pool,
  mostBytes,
  model,
  directory,
  onFailure: (err) => logger.warn({ err }, 'the memory index cannot follow the database'),
  onFileFailure: (err) => logger.warn({ err }, 'the file of the memory index was of no use, or was not written'),
});

parentPort?.on('message', (request: MemoryRequest) => void answer(request).then(post));
void search.keepUp(new AbortController().signal);
void reportState();

async function answer(request: MemoryRequest): Promise<MemoryAnswer> {
  const { id, moment } = request;
  try {
    if ('ranking' in request) return { id, ranking: packRanking(await search.rank(request.ranking, moment)) };
    return { id, hits: await search.findLiterally(request.literal, moment) };
  } catch (error) {
    if (error instanceof ConnectError && error.code === Code.Unavailable) return { id, failure: 'unavailable' };
    return { id, failure: error instanceof Error ? error : new Error(String(error)) };
  }
}

async function reportState(): Promise<never> {
  let reported = '';
  for (;;) {
    const state = search.state();
    const text = JSON.stringify(state);
    if (text !== reported) post({ state });
    reported = text;
    await pause(STATE_EVERY_MS);
  }
}

function post(message: MemoryMessage): void {
  parentPort?.postMessage(message);
}
