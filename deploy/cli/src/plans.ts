/** The plans there are, by the names that the ledger knows. */
export const PLANS = ['builder', 'professional'] as const;
export type Plan = (typeof PLANS)[number];
