import type { ScoredText } from '../../../ranking/scoring.ts';
import type { WeighedTerm } from '../../../ranking/weigh-terms.ts';
import { CONTEXT_WEIGHT } from '../../../ranking/weights.ts';
import type { CopiedIndex } from './index-copy.ts';
import { eachMatch } from './marks.ts';
import { scoreTexts } from './score-texts.ts';

/** What companies that fit by their descriptions give to their observations, by id. */
export type DescribedCompanies = ReadonlyMap<number, number>;

/** Scores the companies that any of the retrieving terms finds. */
export function describedCompanies(
  { companies, companyTexts }: CopiedIndex,
  scored: ScoredText,
  retrieving: readonly WeighedTerm[],
): DescribedCompanies {
  const documents: number[] = [];
  const placeOf = new Int32Array(companies.size);
  const alive = companies.alive.values;
  eachMatch(companyTexts, retrieving, (document) => {
    if (placeOf[document] === 0 && alive[document] === 1) placeOf[document] = documents.push(document);
  });
  const gains = scoreTexts(companyTexts, scored, {
    documents,
    placeOf,
    lengths: companies.lengths.values,
    kinds: undefined,
  });
  const ids = companies.ids.values;
  return new Map(documents.map((document, place) => [ids[document] ?? 0, (gains[place] ?? 0) * CONTEXT_WEIGHT]));
}
