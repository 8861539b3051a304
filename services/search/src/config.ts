import { brokerSettings } from '@ces/chassis/nats/settings';
import { callerSettings, serviceSettings } from '@ces/chassis/service/serve';
import { flag, integer, oneOf, type SettingValues, text, url } from '@ces/chassis/service/settings';
import { engineSettings } from './engine/settings.ts';

export const settings = {
  ...serviceSettings('search', 9103),
  ...brokerSettings,
  ...callerSettings,
  lookupUrl: url('CES_LOOKUP_URL', 'address of lookup, whose change list feeds the index', {
    schemes: ['http', 'https'],
    default: 'http://127.0.0.1:9104',
  }),
  ...engineSettings,
  statementTimeoutMs: integer(
    'CES_SEARCH_STATEMENT_TIMEOUT_MS',
    'longest statement of a search, in milliseconds; one that takes longer is tried once more with a third of the matches',
    { default: '2000', min: 1 },
  ),
  matchBudget: integer(
    'CES_SEARCH_MATCH_BUDGET',
    'matches that one search without a time window scores at most; of those that kinds and countries leave out, five count as two',
    {
      default: '8000',
      min: 100,
    },
  ),
  windowMatchBudget: integer('CES_SEARCH_WINDOW_MATCH_BUDGET', 'the same for a search with a time window', {
    default: '3500',
    min: 100,
  }),
  memoryIndexMib: integer(
    'CES_SEARCH_MEMORY_INDEX_MIB',
    'limit of the memory index of each process, in MiB, 0.5 to 0.8 KB an observation; it answers searches. Resident memory grows by up to twice as much. If the index is larger, the memory index keeps the newest months, and the database answers searches that look further back; 0: no memory index',
    { default: '192', max: 65_536 },
  ),
  keptMonths: integer(
    'CES_SEARCH_KEPT_MONTHS',
    'months of events that stay indexed; a search that reaches further back says that it was cut; 0: all. A rebuild brings back what a lower number let go of',
    { default: '0', max: 1200 },
  ),
  minimumRelevance: integer(
    'CES_SEARCH_MINIMUM_RELEVANCE',
    'least probability that a company answers, in thousandths; less probable ones are left out of results and not charged; 0: none is. Holds in records of 1,000 observations and more',
    { default: '0', max: 1000 },
  ),
  plannerUrl: url(
    'CES_SEARCH_PLANNER_URL',
    'address of an OpenAI-compatible endpoint that plans queries, up to and including /v1; empty: the built-in planner does',
    { schemes: ['https', 'http'], default: '' },
  ),
  plannerModel: text('CES_SEARCH_PLANNER_MODEL', 'model that plans queries', { default: '' }),
  plannerKey: text('CES_SEARCH_PLANNER_KEY', 'API key of that endpoint; empty: none is sent', {
    default: '',
    secret: true,
  }),
  plannerTimeoutMs: integer(
    'CES_SEARCH_PLANNER_TIMEOUT_MS',
    'longest wait for that endpoint, in milliseconds; half of what is left of the deadline at most',
    { default: '5000', min: 1 },
  ),
  plannerConcurrency: integer(
    'CES_SEARCH_PLANNER_CONCURRENCY',
    'queries that wait for that endpoint at once, at most',
    {
      default: '16',
      min: 1,
    },
  ),
  plannerFallback: flag(
    'CES_SEARCH_PLANNER_FALLBACK',
    'whether the built-in planner plans when that endpoint fails; otherwise the search ends as planning_unavailable',
  ),
  embedder: oneOf(
    'CES_SEARCH_EMBEDDER',
    'what turns texts into vectors, which have a say in the order: the encoder in the box, or none, so that words alone order; CES_SEARCH_EMBEDDING_URL takes its place',
    ['built-in', 'none'],
    { default: 'built-in' },
  ),
  embeddingUrl: url(
    'CES_SEARCH_EMBEDDING_URL',
    'address of an OpenAI-compatible endpoint that turns texts into vectors in place of the encoder in the box, up to and including /v1',
    { schemes: ['https', 'http'], default: '' },
  ),
  embeddingModel: text('CES_SEARCH_EMBEDDING_MODEL', 'model that turns texts into vectors', { default: '' }),
  embeddingKey: text('CES_SEARCH_EMBEDDING_KEY', 'API key of that endpoint; empty: none is sent', {
    default: '',
    secret: true,
  }),
  embeddingTimeoutMs: integer(
    'CES_SEARCH_EMBEDDING_TIMEOUT_MS',
    'longest wait for the vector of a query, in milliseconds; half of what is left of the deadline at most',
    { default: '2000', min: 1 },
  ),
  embeddingConcurrency: integer(
    'CES_SEARCH_EMBEDDING_CONCURRENCY',
    'searches that wait for the vector of their query at once, at most',
    { default: '16', min: 1 },
  ),
  embeddingWeight: integer(
    'CES_SEARCH_EMBEDDING_WEIGHT',
    'weight of vectors in the order: a cosine that is greater by a tenth is worth a score by words that is e to a tenth of this times higher; each model has one, that of the encoder in the box is 14',
    { default: '14', max: 1000 },
  ),
  rerankUrl: url(
    'CES_SEARCH_RERANK_URL',
    'address of a reranking endpoint that reorders the best thirty companies, up to and including /v1; empty: none does',
    { schemes: ['https', 'http'], default: '' },
  ),
  rerankModel: text('CES_SEARCH_RERANK_MODEL', 'model that reranks', { default: '' }),
  rerankKey: text('CES_SEARCH_RERANK_KEY', 'API key of that endpoint; empty: none is sent', {
    default: '',
    secret: true,
  }),
  rerankTimeoutMs: integer(
    'CES_SEARCH_RERANK_TIMEOUT_MS',
    'longest wait for that endpoint, in milliseconds; half of what is left of the deadline at most',
    { default: '2000', min: 1 },
  ),
  rerankConcurrency: integer('CES_SEARCH_RERANK_CONCURRENCY', 'searches that wait for that endpoint at once, at most', {
    default: '16',
    min: 1,
  }),
  rerankShare: integer(
    'CES_SEARCH_RERANK_SHARE',
    'say of the reranker in the order, in thousandths; the rest is that of words',
    { default: '500', min: 1, max: 1000 },
  ),
};

export type Config = SettingValues<typeof settings>;
