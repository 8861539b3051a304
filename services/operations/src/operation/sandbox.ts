/** Outcomes that test credentials ask for by exact queries (decisions.md, Credentials). */
const OUTCOMES = ['planning_unavailable', 'failed', 'slow', 'limit_reached'] as const;

export type ScriptedOutcome = (typeof OUTCOMES)[number];

export function scriptedOutcome(testMode: boolean, query: string): ScriptedOutcome | undefined {
  if (!testMode) return undefined;
  return OUTCOMES.find((outcome) => query === `sandbox:${outcome}`);
}
