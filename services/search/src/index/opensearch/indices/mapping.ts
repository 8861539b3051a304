import { createHash } from 'node:crypto';
import type { Corpus } from './names.ts';

/** Stands for an instant that never comes, in microseconds since 1970: the greatest `long`. */
export const NEVER = 9_223_372_036_854_775_807n;

/** Stands in a text where a stop word stood, so that positions and length stay. */
export const STOP_WORD = '.';

/** How the indices of a generation are spread. */
export interface Spread {
  /** Of each index, at least 1; fixed when a generation is made. */
  readonly shards: number;
  /** Copies of each shard on other nodes. */
  readonly replicas: number;
}

/**
 * Times this, a weight counts what it is of once, however often a text has it: a power of two, so that nothing is lost by it.
 */
export const ONCE = 2 ** 64;
/** No weight is as large, and none of what counts once is as small. */
const LARGEST_WEIGHT = 2 ** 32;

/**
 * BM25 with k1 1.2 and b 0.75 whose idf comes with the query, as its boost: one idf for all shards and generations. A text of no
 * words has no mean.
 */
const WEIGHT = `double boost = query.boost;
double freq = doc.freq;
if (boost > ${LARGEST_WEIGHT}.0) { boost /= ${ONCE.toExponential()}; freq = 1.0; }
double mean = field.docCount > 0 ? (double) field.sumTotalTermFreq / field.docCount : 0;
double length = mean > 0 ? doc.length / mean : 1;
return boost * freq * 2.2 / (freq + 1.2 * (0.25 + 0.75 * length));`;

const LONG = { type: 'long' };
const KEYWORD = { type: 'keyword' };
const FLAG = { type: 'boolean' };

/** Lexemes in their order, a stop word as a full stop. */
const TEXT = { type: 'text', analyzer: 'lexemes', similarity: 'weight', index_options: 'positions' };
/** Words as they are written, for phrases and exclusions. */
const WORDS = { type: 'text', analyzer: 'lexemes', similarity: 'boolean', index_options: 'positions', norms: false };

/** Fields by corpus. Numbers of enums are keywords: they are compared for equality alone. */
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

/** The newest first, so that what is asked for by date ends early. */
const SORTS: Readonly<Record<Corpus, object>> = {
  observation: { sort: { field: 'occurred_at', order: 'desc', missing: '_last' } },
  company: {},
};

/** Longer words would be cut into several, which no query finds; in UTF-8 what the engine takes for a word has less than 32,766 bytes. */
const LONGEST_WORD = 8_191;
const ANALYSIS = {
  analyzer: { lexemes: { type: 'custom', tokenizer: 'between_spaces' } },
  tokenizer: { between_spaces: { type: 'whitespace', max_token_length: LONGEST_WORD } },
};
const SIMILARITY = { weight: { type: 'scripted', script: { source: WEIGHT } } };

/** Names how documents are laid out, of both corpora: indices of another layout are of another release. */
export const LAYOUT = createHash('sha256')
  .update(JSON.stringify([FIELDS, SORTS, ANALYSIS, SIMILARITY]))
  .digest('hex')
  .slice(0, 16);

/** The body that an index is created with. Nothing becomes visible but by an explicit refresh. */
export function indexBody(corpus: Corpus, { shards, replicas }: Spread) {
  return {
    settings: {
      index: {
        number_of_shards: shards,
        number_of_replicas: replicas,
        refresh_interval: '-1',
        // A refresh makes visible what each copy has; copies of segments come later.
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
