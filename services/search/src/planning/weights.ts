// What words of a query weigh in a plan, chosen by measurement (npm run lab -- relevance-ablation).

/** Factor on a kind that words name, and on every other one then. */
export const NAMED_KIND = 1.5;
export const OTHER_KIND = 0.3;
/** The same where a kind is read off words that name none. */
export const READ_KIND = 1.25;
export const OTHER_THAN_READ = 0.5;
export const PLACE_WEIGHT = 2;
/** What a word that describes the company weighs in the text of an observation. */
export const DESCRIPTION_IN_ACTIVITY = 0.35;
/** What it weighs that a text has a fact that was asked for, as a word of its own. */
export const FACT_WEIGHT = 1;
/** What a word weighs that is a part of a known phrase. */
export const PART_WEIGHT = 0.6;
/** What a word weighs of a sentence that says who asks. */
export const IN_BACKGROUND = 0.35;
