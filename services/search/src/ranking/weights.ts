// All weights were chosen by measurement. Gains are in idf units.

/** Weighs a company's description relative to the observation's text. */
export const CONTEXT_WEIGHT = 0.75;
/** Counts even if the observation states its topic but matches no word. */
export const CONTEXT_FLOOR = 0.5;
/** Gain of a word in one of twenty documents. Kinds and places gain multiples of it. */
export const COMMON_WORD_GAIN = Math.log(20);
/** A named kind gains as much as this many such words. */
export const NAMED_KIND_WORDS = 2;
export const NEAR_SHARE = 0.5;
/**
 * An observation that misses a stated place, time or fact ranks after those that meet all. The
 * answer leaves it out (`missedConditions`).
 */
export const MISSED_FACTOR = 0.01;
export const AVOIDED_FACTOR = 0.3;
/** It applies without any word of the query: the company fits, but its evidence may not answer. */
export const NO_WORD_FACTOR = 0.8;
/** It applies to an observation that does not state the fact that a condition asks for. */
export const UNKNOWN_FACTOR = 0.6;
/** In a smaller record, probabilities are not trusted: words are as frequent as their topic. */
export const CALIBRATED_OBSERVATIONS = 1000;
export const SCORED_TERMS = 40;
/** Least cosine of the built-in encoder to find an observation without a word of the query. */
export const FOUND_FROM = 0.7;
/** At most this many observations are found by meaning. */
export const FOUND_BY_MEANING = 400;
/** Least share of the highest score for observations found by meaning, before the factors. */
export const LEAST_SHARE = 0.05;
