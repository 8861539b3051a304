import type { WeighedTerm } from '../../../../ranking/weigh-terms.ts';
import type { ScoredRow } from '../../../scored-observation.ts';
import type { Gains } from './explain-gains.ts';
import type { ScoredCandidates } from './score-candidates.ts';

export function scoredRows(
  { companies }: ScoredCandidates,
  terms: readonly WeighedTerm[],
  gains: { readonly own: Gains; readonly context: Gains } | undefined,
): ScoredRow[] {
  return companies.flatMap(({ companyId, observations }) =>
    observations.map(({ found, ...parts }) => {
      const ownGains = gains?.own.get(found.observationId) ?? null;
      return {
        ...parts,
        observationId: BigInt(found.observationId),
        companyId: BigInt(companyId),
        own: ownGains ? mostOfEach(terms, ownGains) : parts.own,
        ownGains,
        contextGains: gains?.context.get(companyId) ?? null,
      };
    }),
  );
}

/** A sum over the alternatives is more exact than a value recovered from the score. */
function mostOfEach(terms: readonly WeighedTerm[], gains: readonly number[]): number {
  let at = 0;
  return terms.reduce((sum, { alternatives }) => {
    const own = gains.slice(at, at + alternatives.length);
    at += alternatives.length;
    return sum + Math.max(0, ...own);
  }, 0);
}
