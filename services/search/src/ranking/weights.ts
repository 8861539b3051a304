// All weights were chosen by measurement. Gains are in idf units.

/** It weighs a company's description relative to the observation's text. */
export const CONTEXT_WEIGHT = 0.75;
/**
 * This share of the description counts even if the observation states its topic but matches no
 * word.
 */
export const CONTEXT_FLOOR = 0.5;
/**
 * A word in one of twenty documents has this gain. Gains of kinds and places are multiples of it.
 */
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
/** It applies without any word of the query: the company fits, but its evidence does not answer. */
export const NO_WORD_FACTOR = 0.8;
/** It applies to an observation that does not state the fact that a condition asks for. */
export const UNKNOWN_FACTOR = 0.6;
export const FAINT_WORD_WEIGHT = 0.5;
/**
 * Probabilities are trusted from this many observations on. In a smaller record, words are as
 * frequent as their topic.
 */
export const CALIBRATED_OBSERVATIONS = 1000;
export const SCORED_TERMS = 40;
/**
 * From this cosine of the built-in encoder on, an observation is found without a word of the query.
 */
export const FOUND_FROM = 0.78;
/**
 * Where meaning finds too, this share of the highest score counts at least, multiplied by the
 * factors.
 */
export const LEAST_SHARE = 0.05;
