import { createHash } from 'node:crypto';
import type { Corpus } from './names.ts';

/** The maximum `long`: an instant that never comes. */
export const NEVER = 9_223_372_036_854_775_807n;

/** It replaces stop words, so that positions and lengths stay. */
export const STOP_WORD = '.';

export interface ShardCounts {
  readonly shards: number;
  readonly replicas: number;
}

/** Weights multiplied by this ignore term frequency. A power of two keeps the product exact. */
export const COUNT_ONCE = 2 ** 64;
/** It lies between ordinary weights and those multiplied by ONCE. */
const LARGEST_WEIGHT = 2 ** 32;

/** BM25 with k1 1.2 and b 0.75. The boost includes the idf, so all shards use the same one. */
const WEIGHT = `double boost = query.boost;
double freq = doc.freq;
if (boost > ${LARGEST_WEIGHT}.0) { boost /= ${COUNT_ONCE.toExponential()}; freq = 1.0; }
double mean = field.docCount > 0 ? (double) field.sumTotalTermFreq / field.docCount : 0;
double length = mean > 0 ? doc.length / mean : 1;
return boost * freq * 2.2 / (freq + 1.2 * (0.25 + 0.75 * length));`;

const LONG = { type: 'long' };
const KEYWORD = { type: 'keyword' };
const FLAG = { type: 'boolean' };

const TEXT = { type: 'text', analyzer: 'lexemes', similarity: 'weight', index_options: 'positions' };
const WORDS = { type: 'text', analyzer: 'lexemes', similarity: 'boolean', index_options: 'positions', norms: false };

const FIELDS: Readonly<Record<Corpus, object>> = {
  observation: {
    observation_id: LONG,
    company_id: LONG,
    tombstone: FLAG,
    kind: KEYWORD,
    country: KEYWORD,
    occurred_at: LONG,
    observed_at: LONG,
    recorded_at: LONG,
    deliverable_until: LONG,
    text: TEXT,
    words: WORDS,
    facts: { type: 'integer' },
  },
  company: {
    company_id: LONG,
    survivor_id: LONG,
    tombstone: FLAG,
    is_survivor: FLAG,
    country: KEYWORD,
    text: TEXT,
    words: WORDS,
    name_words: WORDS,
    domains: { type: 'nested', properties: { hostname: KEYWORD, supported_until: LONG } },
  },
};

/** Of the built-in encoder. Vectors of another length are not indexed. */
export const DIMENSIONS = 384;
const VECTORS = {
  vector_model: KEYWORD,
  vector: {
    type: 'knn_vector',
    dimension: DIMENSIONS,
    data_type: 'byte',
    method: { name: 'hnsw', engine: 'lucene', space_type: 'cosinesimil' },
  },
};

const SORTS: Readonly<Record<Corpus, object>> = {
  observation: { sort: { field: 'occurred_at', order: 'desc', missing: '_last' } },
  company: {},
};

/** Keeps a term below Lucene's 32,766 bytes of UTF-8. */
const LONGEST_WORD = 8_191;
const ANALYSIS = {
  analyzer: { lexemes: { type: 'custom', tokenizer: 'between_spaces' } },
  tokenizer: { between_spaces: { type: 'whitespace', max_token_length: LONGEST_WORD } },
};
const SIMILARITY = { weight: { type: 'scripted', script: { source: WEIGHT } } };

/** Indices with another layout belong to another release. Vectors do not change the layout. */
export const LAYOUT = createHash('sha256')
  .update(JSON.stringify([FIELDS, SORTS, ANALYSIS, SIMILARITY]))
  .digest('hex')
  .slice(0, 16);

/** Writers refresh before the position moves; the interval covers copies that lagged then. */
export function indexBody(corpus: Corpus, { shards, replicas }: ShardCounts, hasVectors: boolean) {
  return {
    settings: {
      index: {
        number_of_shards: shards,
        number_of_replicas: replicas,
        refresh_interval: '10s',
        ...(hasVectors && { knn: true }),
        // With segment replication, a refresh would not cover replicas.
        replication: { type: 'DOCUMENT' },
        ...SORTS[corpus],
        analysis: ANALYSIS,
        similarity: SIMILARITY,
      },
    },
    mappings: {
      dynamic: 'strict',
      _source: { enabled: false },
      _meta: { layout: LAYOUT },
      properties: { ...FIELDS[corpus], ...(hasVectors && VECTORS) },
    },
  };
}
