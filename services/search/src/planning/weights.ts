/** Factors of a kind that the query names, and of all others. */
export const NAMED_KIND = 1.5;
export const OTHER_KIND = 0.3;
/** They apply where words for companies name profiles. */
export const COMPANY_KIND = 1.25;
export const OTHER_THAN_COMPANY = 0.5;
export const PLACE_WEIGHT = 2;
export const DESCRIPTION_IN_ACTIVITY = 0.35;
export const FACT_WEIGHT = 1;
export const PART_WEIGHT = 0.6;
export const IN_BACKGROUND = 0.35;
