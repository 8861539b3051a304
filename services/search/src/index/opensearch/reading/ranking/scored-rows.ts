import type { ScoredRow } from '../../../scored-observation.ts';
import type { Gains } from './explain-gains.ts';
import type { ScoredCandidates } from './score-candidates.ts';

/** The observations of a ranking as every engine gives them, company by company. */
export function scoredRows(
  { companies }: ScoredCandidates,
  gains: { readonly own: Gains; readonly context: Gains } | undefined,
): ScoredRow[] {
  return companies.flatMap(({ companyId, observations }) =>
    observations.map(({ found, ...parts }) => ({
      ...parts,
      observationId: BigInt(found.observationId),
      companyId: BigInt(companyId),
      ownGains: gains?.own.get(found.observationId) ?? null,
      contextGains: gains?.context.get(companyId) ?? null,
    })),
  );
}
