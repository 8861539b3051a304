import type { ScoredText } from '../../../../ranking/scoring.ts';
import type { WeighedTerm } from '../../../../ranking/weigh-terms.ts';
import { CONTEXT_WEIGHT } from '../../../../ranking/weights.ts';
import type { SearchedCopy } from '../copied-index.ts';
import { runsOf } from './marks.ts';
import { scoreTexts } from './score-texts.ts';
import type { Places } from './scratch.ts';

/** Companies that fit by their descriptions. */
export interface DescribedCompanies {
  /** Their numbers. */
  readonly companies: readonly number[];
  /** What each gives to its observations. */
  readonly gains: Float64Array;
  /** The place of a company's number in these, from 1. */
  readonly places: Places;
}

/** Scores the companies that any of the retrieving terms finds. */
export function describedCompanies(
  { companies: table, companyTexts, companyNumbers, scratch }: SearchedCopy,
  scored: ScoredText,
  retrieving: readonly WeighedTerm[],
): DescribedCompanies {
  const documents: number[] = [];
  const placesOfTexts = scratch.places(table.size);
  const { values, base } = placesOfTexts;
  const alive = table.alive.values;
  for (const { first, documents: found, from, to } of runsOf(companyTexts, retrieving))
    for (let at = from; at < to; at += 1) {
      const document = first + (found[at] ?? 0);
      if ((values[document] ?? 0) < base && alive[document] === 1) values[document] = base + documents.push(document);
    }
  const lengths = table.lengths.values;
  const scoredTexts = { documents, places: placesOfTexts, lengths, codes: undefined };
  const gains = scoreTexts(companyTexts, scored, scoredTexts, scratch);
  for (let place = 0; place < gains.length; place += 1) gains[place] = (gains[place] ?? 0) * CONTEXT_WEIGHT;
  const places = scratch.places(companyNumbers.size);
  const companyOf = table.companies.values;
  const companies = documents.map((document, place) => {
    const company = companyOf[document] ?? 0;
    places.values[company] = places.base + place + 1;
    return company;
  });
  return { companies, gains, places };
}
