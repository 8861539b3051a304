import { brokerSettings } from '@ces/chassis/nats/settings';
import { callerSettings, peerUrl, serviceSettings } from '@ces/chassis/serve';
import { flag, integer, oneOf, type SettingValues, text, url } from '@ces/chassis/service/settings';
import { engineSettings } from './engine-settings.ts';

export const settings = {
  ...serviceSettings('search', 9103),
  ...brokerSettings,
  ...callerSettings,
  lookupUrl: peerUrl('lookup', 9104),
  ...engineSettings,
  memoryIndexMib: integer(
    'CES_SEARCH_MEMORY_INDEX_MIB',
    'memory of the index; the process may grow by twice as much; months that do not fit are not searched; 0: answers no search',
    { default: '320', max: 65_536 },
  ),
  indexDirectory: text(
    'CES_SEARCH_INDEX_DIR',
    'folder of a file from which the memory index loads faster; it takes up to twice the memory of the index; empty: none',
    { default: '' },
  ),
  keptMonths: integer(
    'CES_SEARCH_KEPT_MONTHS',
    'months of events in the index; 0: all; rebuild the index after raising it',
    { default: '0', max: 1200 },
  ),
  minimumRelevance: integer(
    'CES_SEARCH_MINIMUM_RELEVANCE',
    'lowest probability, in thousandths, of a company in an answer; 0: any',
    { default: '200', max: 1000 },
  ),
  plannerUrl: url(
    'CES_SEARCH_PLANNER_URL',
    'OpenAI-compatible endpoint that plans queries, including /v1; empty: the built-in planner',
    { schemes: ['https', 'http'], default: '' },
  ),
  plannerModel: text('CES_SEARCH_PLANNER_MODEL', 'model of the planner endpoint', { default: '' }),
  plannerKey: text('CES_SEARCH_PLANNER_KEY', 'API key of the planner endpoint', {
    default: '',
    secret: true,
  }),
  plannerTimeoutMs: integer('CES_SEARCH_PLANNER_TIMEOUT_MS', 'timeout of the planner endpoint', {
    default: '5000',
    min: 1,
  }),
  plannerConcurrency: integer('CES_SEARCH_PLANNER_CONCURRENCY', 'queries that may wait for the planner endpoint', {
    default: '16',
    min: 1,
  }),
  plannerFallback: flag('CES_SEARCH_PLANNER_FALLBACK', 'whether the built-in planner plans if the endpoint fails'),
  embedder: oneOf('CES_SEARCH_EMBEDDER', 'encoder of texts: built-in or none', ['built-in', 'none'], {
    default: 'built-in',
  }),
  embeddingUrl: url(
    'CES_SEARCH_EMBEDDING_URL',
    'OpenAI-compatible endpoint that replaces the built-in encoder, including /v1',
    { schemes: ['https', 'http'], default: '' },
  ),
  embeddingModel: text('CES_SEARCH_EMBEDDING_MODEL', 'model of the embedding endpoint', { default: '' }),
  embeddingKey: text('CES_SEARCH_EMBEDDING_KEY', 'API key of the embedding endpoint', {
    default: '',
    secret: true,
  }),
  embeddingTimeoutMs: integer('CES_SEARCH_EMBEDDING_TIMEOUT_MS', 'timeout of the embedding of a query', {
    default: '2000',
    min: 1,
  }),
  embeddingConcurrency: integer('CES_SEARCH_EMBEDDING_CONCURRENCY', 'searches that may wait for an embedding', {
    default: '16',
    min: 1,
  }),
  embeddingWeight: integer('CES_SEARCH_EMBEDDING_WEIGHT', 'weight of vectors in the order; each model needs its own', {
    default: '20',
    max: 1000,
  }),
  rerankUrl: url('CES_SEARCH_RERANK_URL', 'endpoint that reranks the best thirty companies, including /v1', {
    schemes: ['https', 'http'],
    default: '',
  }),
  rerankModel: text('CES_SEARCH_RERANK_MODEL', 'model of the reranking endpoint', { default: '' }),
  rerankKey: text('CES_SEARCH_RERANK_KEY', 'API key of the reranking endpoint', {
    default: '',
    secret: true,
  }),
  rerankTimeoutMs: integer('CES_SEARCH_RERANK_TIMEOUT_MS', 'timeout of the reranking endpoint', {
    default: '2000',
    min: 1,
  }),
  rerankConcurrency: integer('CES_SEARCH_RERANK_CONCURRENCY', 'searches that may wait for the reranking endpoint', {
    default: '16',
    min: 1,
  }),
  rerankShare: integer('CES_SEARCH_RERANK_SHARE', 'weight of the reranker in the order, in thousandths', {
    default: '500',
    min: 1,
    max: 1000,
  }),
};

export type Config = SettingValues<typeof settings>;
