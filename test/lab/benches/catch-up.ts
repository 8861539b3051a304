import { randomBytes } from 'node:crypto';
import { parseArgs } from 'node:util';
import { createRpcClient } from '@ces/chassis/rpc/client';
import { readSettings } from '@ces/chassis/service/settings';
import { createLogger } from '@ces/chassis/telemetry/log';
import { Kind } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import { SearchService } from '@ces/proto/ces/search/v1/search_service_pb.ts';
import { settings } from '@ces/search/config';
import { start } from '@ces/search/start';
import { RECORD_TOKEN, startRecordServer } from '@ces/search/test-support/record-server';
import { openBenchDatabase } from '../support/index-database.ts';
import { readCorpus } from './relevance-index/corpus.ts';

// How fast an empty index catches up with a record, over real RPC: npm run lab -- catch-up CORPUS
const { values: options, positionals } = parseArgs({ allowPositionals: true, options: { server: { type: 'string' } } });
const [directory] = positionals;
if (!directory) throw new Error('usage: npm run lab -- catch-up CORPUS [--server URL]');

const corpus = await readCorpus(directory);
await using database = await openBenchDatabase(options.server, true);
await using record = await startRecordServer();
const tx = record.put(corpus);
const began = performance.now();
await using service = await start(
  readSettings(settings, {
    CES_SEARCH_PORT: '0',
    CES_SEARCH_DATABASE_URL: database.url,
    CES_RPC_CALLER_TOKENS: 'operations=operations',
    CES_RPC_TOKEN: RECORD_TOKEN,
    CES_LOOKUP_URL: record.url,
    CES_NATS_PREFIX: `bench_${randomBytes(4).toString('hex')}`,
  }),
  createLogger('search', 'error'),
);
const search = createRpcClient(SearchService, { url: service.url, callerToken: 'operations', timeoutMs: 110_000 });
const filters = { kinds: [Kind.COMPANY_PROFILE] };
const { plan } = await search.plan({ query: 'nothing', filters });
if (!plan) throw new Error('no plan was made');
await search.search({ plan, filters, candidateLimit: 100, maxCompanies: 1, waitForTx: tx });
const seconds = (performance.now() - began) / 1000;
const { companies, observations } = corpus;
console.log(
  `${observations.length} observations and ${companies.length} companies in ${seconds.toFixed(1)} s: ` +
    `${Math.round(observations.length / seconds)} observations/s`,
);
