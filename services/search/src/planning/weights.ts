// Weights of query words in a plan, chosen by measurement (npm run lab -- relevance-ablation).

/** Factors of a kind that the query names, and of all other kinds. */
export const NAMED_KIND = 1.5;
export const OTHER_KIND = 0.3;
/** The same factors for a kind that is predicted from words that name none. */
export const READ_KIND = 1.25;
export const OTHER_THAN_READ = 0.5;
export const PLACE_WEIGHT = 2;
/** Weight of a word about the company when it matches an observation's text. */
export const DESCRIPTION_IN_ACTIVITY = 0.35;
export const FACT_WEIGHT = 1;
export const PART_WEIGHT = 0.6;
/** Weight of a word in a sentence about the user. */
export const IN_BACKGROUND = 0.35;
