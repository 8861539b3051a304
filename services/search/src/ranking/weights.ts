// Weights of the parts of a ranking, chosen by measurement (npm run lab -- relevance-ablation). Gains are in idf units.

/** What a company's description counts beside the text of its observation. */
export const CONTEXT_WEIGHT = 0.75;
/** What of it counts anyway beside an observation that says itself what it is about and gives nothing by the words. */
export const UNSHOWN_CONTEXT = 0.5;
/** The gain of a word that one document in twenty has; being of a kind or at a place is worth so many of it. */
export const COMMON_WORD_GAIN = Math.log(20);
/** How many such words it is worth to be of a kind that the words name. */
export const NAMED_KIND_WORDS = 2;
/** Share of a place's gain that a name of what lies in or around it gives. */
export const NEAR_SHARE = 0.5;
/** Factor on what lies outside every place that the words name. */
export const ELSEWHERE_FACTOR = 0.3;
/** Factor on what happened outside the time that the words ask for. */
export const EARLIER_FACTOR = 0.5;
/** Factor on what has something that the words negate. */
export const AVOIDED_FACTOR = 0.3;
/** Factor on what has no word of the query itself, where there are any: the company fits, its evidence answers nothing. */
export const UNANSWERING_FACTOR = 0.8;
/** Factor on what says otherwise than a fact that the words ask for, and on what says nothing about it. */
export const UNMET_FACTOR = 0.3;
export const UNKNOWN_FACTOR = 0.6;
/** What a word weighs that names a part anybody may play. */
export const FAINT_WORD = 0.5;
/** Observations from which on probabilities of relevance are believed: in fewer, words are as frequent as their topic (npm run lab -- relevance-small). */
export const CALIBRATED_OBSERVATIONS = 1000;
/** Terms that are scored at most, the weightiest. */
export const SCORED_TERMS = 40;
