import type { ScoredText } from '../../../../ranking/scoring.ts';
import { CONTEXT_WEIGHT } from '../../../../ranking/weights.ts';
import type { MemoryIndexView } from '../memory-index.ts';
import type { Slots } from './buffer-pool.ts';
import { runsOf } from './marks.ts';
import { scoreTexts } from './score-texts.ts';

export interface DescribedCompanies {
  readonly companies: Int32Array;
  /** Numbers in the table of companies, one for each of `companies`. */
  readonly documents: Int32Array;
  readonly gains: Float64Array;
  readonly slots: Slots;
}

export function describedCompanies(
  { companies: table, companyTexts, companyNumbers, buffers }: MemoryIndexView,
  scored: ScoredText,
): DescribedCompanies {
  const found = buffers.integers(table.size);
  const slotsOfTexts = buffers.slots(table.size);
  const { values, base } = slotsOfTexts;
  const alive = table.alive.values;
  let count = 0;
  for (const { first, documents, from, to } of runsOf(companyTexts, scored.candidateTerms))
    for (let at = from; at < to; at += 1) {
      const document = first + (documents[at] ?? 0);
      if ((values[document] ?? 0) >= base || alive[document] !== 1) continue;
      found[count] = document;
      count += 1;
      values[document] = base + count;
    }
  const documents = found.subarray(0, count);
  const scoredTexts = { documents, slots: slotsOfTexts, lengths: table.lengths.values, codes: undefined };
  const gains = scoreTexts(companyTexts, scored, scoredTexts, buffers);
  const slots = buffers.slots(companyNumbers.size);
  const companies = buffers.integers(count);
  const companyOf = table.companies.values;
  for (let slot = 0; slot < count; slot += 1) {
    gains[slot] = (gains[slot] ?? 0) * CONTEXT_WEIGHT;
    const company = companyOf[documents[slot] ?? 0] ?? 0;
    companies[slot] = company;
    slots.values[company] = slots.base + slot + 1;
  }
  return { companies, documents, gains, slots };
}
