/** Factors of a kind that the query names, and of all others. */
export const NAMED_KIND = 1.5;
export const OTHER_KIND = 0.3;
/** Words for companies ("suppliers") name profiles, but weigh other kinds down less. */
export const COMPANY_PROFILE_KIND = 1.25;
export const OTHER_THAN_PROFILE = 0.5;
export const PLACE_WEIGHT = 2;
export const FACT_WEIGHT = 1;
export const PART_WEIGHT = 0.6;
export const IN_BACKGROUND = 0.35;
