export const PLANS = ['builder', 'professional'] as const;
export type Plan = (typeof PLANS)[number];
