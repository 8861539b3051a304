import type { ScoredText } from '../../../ranking/scoring.ts';
import type { WeighedTerm } from '../../../ranking/weigh-terms.ts';
import { CONTEXT_WEIGHT } from '../../../ranking/weights.ts';
import type { CopiedIndex } from './copied-index.ts';
import { eachMatch } from './marks.ts';
import { scoreTexts } from './score-texts.ts';

/** Companies that fit by their descriptions. */
export interface DescribedCompanies {
  readonly ids: readonly number[];
  /** What each gives to its observations. */
  readonly gains: Float64Array;
  /** The same by the number that the table of observations gives a company; 0 for all others. */
  readonly gainOf: Float64Array;
}

/** Scores the companies that any of the retrieving terms finds. */
export function describedCompanies(
  { companies, companyTexts, observations, scratch }: CopiedIndex,
  scored: ScoredText,
  retrieving: readonly WeighedTerm[],
): DescribedCompanies {
  const documents: number[] = [];
  const placeOf = scratch.ints(companies.size);
  const alive = companies.alive.values;
  eachMatch(companyTexts, retrieving, (document) => {
    if (placeOf[document] === 0 && alive[document] === 1) placeOf[document] = documents.push(document);
  });
  const lengths = companies.lengths.values;
  const sums = scoreTexts(companyTexts, scored, { documents, placeOf, lengths, kinds: undefined });
  const gains = sums.map((sum) => sum * CONTEXT_WEIGHT);
  const ids = documents.map((document) => companies.ids.values[document] ?? 0);
  const gainOf = scratch.floats(observations.companyCount, 0);
  for (const [place, id] of ids.entries()) {
    const number = observations.companyNumberOf(id);
    if (number !== undefined) gainOf[number] = gains[place] ?? 0;
  }
  return { ids, gains, gainOf };
}
