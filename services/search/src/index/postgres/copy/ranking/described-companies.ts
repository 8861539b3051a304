import type { ScoredText } from '../../../../ranking/scoring.ts';
import type { WeighedTerm } from '../../../../ranking/weigh-terms.ts';
import { CONTEXT_WEIGHT } from '../../../../ranking/weights.ts';
import type { SearchedCopy } from '../copied-index.ts';
import { runsOf } from './marks.ts';
import { scoreTexts } from './score-texts.ts';
import type { Places } from './scratch.ts';

export interface DescribedCompanies {
  readonly companies: Int32Array;
  readonly gains: Float64Array;
  /** It maps companies to one-based positions in these arrays. */
  readonly places: Places;
}

export function describedCompanies(
  { companies: table, companyTexts, companyNumbers, scratch }: SearchedCopy,
  scored: ScoredText,
  retrieving: readonly WeighedTerm[],
): DescribedCompanies {
  const found = scratch.integers(table.size);
  const placesOfTexts = scratch.places(table.size);
  const { values, base } = placesOfTexts;
  const alive = table.alive.values;
  let count = 0;
  for (const { first, documents, from, to } of runsOf(companyTexts, retrieving))
    for (let at = from; at < to; at += 1) {
      const document = first + (documents[at] ?? 0);
      if ((values[document] ?? 0) >= base || alive[document] !== 1) continue;
      found[count] = document;
      count += 1;
      values[document] = base + count;
    }
  const documents = found.subarray(0, count);
  const scoredTexts = { documents, places: placesOfTexts, lengths: table.lengths.values, codes: undefined };
  const gains = scoreTexts(companyTexts, scored, scoredTexts, scratch);
  const places = scratch.places(companyNumbers.size);
  const companies = scratch.integers(count);
  const companyOf = table.companies.values;
  for (let place = 0; place < count; place += 1) {
    gains[place] = (gains[place] ?? 0) * CONTEXT_WEIGHT;
    const company = companyOf[documents[place] ?? 0] ?? 0;
    companies[place] = company;
    places.values[company] = places.base + place + 1;
  }
  return { companies, gains, places };
}
