import { createHash } from 'node:crypto';
import type { Corpus } from './names.ts';

/** The maximum `long`, in microseconds since 1970, is an instant that never comes. */
export const NEVER = 9_223_372_036_854_775_807n;

/** It replaces stop words, so that positions and lengths stay. */
export const STOP_WORD = '.';

export interface ShardCounts {
  /** The number is fixed for a generation. */
  readonly shards: number;
  readonly replicas: number;
}

/**
 * A weight multiplied by this counts once, whatever the term frequency. A power of two keeps the
 * product exact.
 */
export const COUNT_ONCE = 2 ** 64;
/** It lies between ordinary weights and those multiplied by ONCE. */
const LARGEST_WEIGHT = 2 ** 32;

/**
 * Computes BM25 with k1 1.2 and b 0.75. The query's boost includes the idf, so that all shards and
 * generations use the same one. An empty text has no mean length.
 */
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

/** Enum numbers are keywords, because queries only compare them for equality. */
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

/** The newest come first, so that searches by date end early. */
const SORTS: Readonly<Record<Corpus, object>> = {
  observation: { sort: { field: 'occurred_at', order: 'desc', missing: '_last' } },
  company: {},
};

/**
 * The tokenizer would split longer words. The limit keeps a term below Lucene's 32,766 bytes of
 * UTF-8.
 */
const LONGEST_WORD = 8_191;
const ANALYSIS = {
  analyzer: { lexemes: { type: 'custom', tokenizer: 'between_spaces' } },
  tokenizer: { between_spaces: { type: 'whitespace', max_token_length: LONGEST_WORD } },
};
const SIMILARITY = { weight: { type: 'scripted', script: { source: WEIGHT } } };

/** Identifies the layout of both corpora. Indices with another layout belong to another release. */
export const LAYOUT = createHash('sha256')
  .update(JSON.stringify([FIELDS, SORTS, ANALYSIS, SIMILARITY]))
  .digest('hex')
  .slice(0, 16);

/**
 * Writers refresh before the position moves. OpenSearch also refreshes by itself, for copies that a
 * document had not reached then: the writer had no answer and sent it again.
 */
export function indexBody(corpus: Corpus, { shards, replicas }: ShardCounts) {
  return {
    settings: {
      index: {
        number_of_shards: shards,
        number_of_replicas: replicas,
        refresh_interval: '10s',
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
      properties: FIELDS[corpus],
    },
  };
}
