import { brokerSettings } from '@ces/chassis/nats/settings';
import { callerSettings, serviceSettings } from '@ces/chassis/serve';
import { flag, integer, oneOf, type SettingValues, text, url } from '@ces/chassis/service/settings';
import { engineSettings } from './engine/settings.ts';

export const settings = {
  ...serviceSettings('search', 9103),
  ...brokerSettings,
  ...callerSettings,
  lookupUrl: url('CES_LOOKUP_URL', 'address of the lookup service, whose change feed updates the index', {
    schemes: ['http', 'https'],
    default: 'http://127.0.0.1:9104',
  }),
  ...engineSettings,
  memoryIndexMib: integer(
    'CES_SEARCH_MEMORY_INDEX_MIB',
    'memory that the index may take in each process, in MiB; 0: the process fills the index and answers no search. An observation takes 0.6 to 0.9 KB, and 0.4 KB more with the built-in encoder. Resident memory grows by up to twice this size. If the index is larger, the oldest months are not searched, and answers that reach back to them say so',
    { default: '320', max: 65_536 },
  ),
  keptMonths: integer(
    'CES_SEARCH_KEPT_MONTHS',
    'months of events in the index; 0: all. A search that reaches further back reports that it was truncated. After raising the number, rebuild the index to restore older months',
    { default: '0', max: 1200 },
  ),
  minimumRelevance: integer(
    'CES_SEARCH_MINIMUM_RELEVANCE',
    'lowest probability, in thousandths, that a company answers the query; less probable companies are omitted and not charged; 0: none is omitted. Applies to records of at least 1,000 observations',
    { default: '60', max: 1000 },
  ),
  plannerUrl: url(
    'CES_SEARCH_PLANNER_URL',
    'address of an OpenAI-compatible endpoint that plans queries, up to and including /v1; empty: the built-in planner',
    { schemes: ['https', 'http'], default: '' },
  ),
  plannerModel: text('CES_SEARCH_PLANNER_MODEL', 'model of the planner endpoint', { default: '' }),
  plannerKey: text('CES_SEARCH_PLANNER_KEY', 'API key of the planner endpoint; empty: none is sent', {
    default: '',
    secret: true,
  }),
  plannerTimeoutMs: integer(
    'CES_SEARCH_PLANNER_TIMEOUT_MS',
    'timeout of the planner endpoint, in milliseconds; at most half of the remaining deadline',
    { default: '5000', min: 1 },
  ),
  plannerConcurrency: integer(
    'CES_SEARCH_PLANNER_CONCURRENCY',
    'most queries that wait for the planner endpoint at once',
    { default: '16', min: 1 },
  ),
  plannerFallback: flag(
    'CES_SEARCH_PLANNER_FALLBACK',
    'whether the built-in planner plans if the endpoint fails; otherwise the search fails with planning_unavailable',
  ),
  embedder: oneOf(
    'CES_SEARCH_EMBEDDER',
    'model that embeds texts for the order of results: the built-in encoder, or none, so that only words decide; CES_SEARCH_EMBEDDING_URL overrides it',
    ['built-in', 'none'],
    { default: 'built-in' },
  ),
  embeddingUrl: url(
    'CES_SEARCH_EMBEDDING_URL',
    'address of an OpenAI-compatible endpoint that embeds texts instead of the built-in encoder, up to and including /v1; empty: none',
    { schemes: ['https', 'http'], default: '' },
  ),
  embeddingModel: text('CES_SEARCH_EMBEDDING_MODEL', 'model of the embedding endpoint', { default: '' }),
  embeddingKey: text('CES_SEARCH_EMBEDDING_KEY', 'API key of the embedding endpoint; empty: none is sent', {
    default: '',
    secret: true,
  }),
  embeddingTimeoutMs: integer(
    'CES_SEARCH_EMBEDDING_TIMEOUT_MS',
    'timeout of the embedding of a query, in milliseconds; at most half of the remaining deadline',
    { default: '2000', min: 1 },
  ),
  embeddingConcurrency: integer(
    'CES_SEARCH_EMBEDDING_CONCURRENCY',
    'most searches that wait for the embedding of their query at once',
    { default: '16', min: 1 },
  ),
  embeddingWeight: integer(
    'CES_SEARCH_EMBEDDING_WEIGHT',
    'weight of the cosine similarity in the order; it is added to the logarithm of the word score. Each model needs its own value; the built-in encoder uses 20',
    { default: '20', max: 1000 },
  ),
  rerankUrl: url(
    'CES_SEARCH_RERANK_URL',
    'address of an endpoint that reranks the best thirty companies, up to and including /v1; empty: no reranking',
    { schemes: ['https', 'http'], default: '' },
  ),
  rerankModel: text('CES_SEARCH_RERANK_MODEL', 'model of the reranking endpoint', { default: '' }),
  rerankKey: text('CES_SEARCH_RERANK_KEY', 'API key of the reranking endpoint; empty: none is sent', {
    default: '',
    secret: true,
  }),
  rerankTimeoutMs: integer(
    'CES_SEARCH_RERANK_TIMEOUT_MS',
    'timeout of the reranking endpoint, in milliseconds; at most half of the remaining deadline',
    { default: '2000', min: 1 },
  ),
  rerankConcurrency: integer(
    'CES_SEARCH_RERANK_CONCURRENCY',
    'most searches that wait for the reranking endpoint at once',
    { default: '16', min: 1 },
  ),
  rerankShare: integer(
    'CES_SEARCH_RERANK_SHARE',
    'weight of the reranker in the order, in thousandths; the rest is the weight of the first ranking',
    { default: '500', min: 1, max: 1000 },
  ),
};

export type Config = SettingValues<typeof settings>;
