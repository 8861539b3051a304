import type { Scoring } from '../../../../ranking/scoring.ts';
import type { ScoredRow } from '../../../scored-observation.ts';
import type { MemoryIndexView } from '../memory-index.ts';
import type { BufferPool } from './buffer-pool.ts';
import type { DescribedCompanies } from './described-companies.ts';
import { type Documents, explainTexts } from './score-texts.ts';

export type HitGains = Pick<ScoredRow, 'ownGains' | 'contextGains'>;

export function explainGains(
  { observations, observationTexts, companies, companyTexts, buffers }: MemoryIndexView,
  { own, context }: Pick<Scoring, 'own' | 'context'>,
  described: DescribedCompanies,
  numbers: readonly number[],
): HitGains[] {
  const companyOf = observations.companies.values;
  const { values, base } = described.slots;
  const profileOf = (number: number) => described.documents[(values[companyOf[number] ?? 0] ?? 0) - base - 1];
  const profiles = [...new Set(numbers.flatMap((number) => profileOf(number) ?? []))];
  const ofObservations = {
    ...numbered(numbers, observations.size, buffers),
    lengths: observations.lengths.values,
    codes: observations.codes.values,
  };
  const ofProfiles = {
    ...numbered(profiles, companies.size, buffers),
    lengths: companies.lengths.values,
    codes: undefined,
  };
  const ownGains = explainTexts(observationTexts, own, ofObservations, buffers);
  const contextGains = explainTexts(companyTexts, context, ofProfiles, buffers);
  const gainsOf = new Map(profiles.map((profile, at) => [profile, contextGains[at] ?? null]));
  return numbers.map((number, at) => ({
    ownGains: ownGains[at] ?? null,
    contextGains: gainsOf.get(profileOf(number) ?? -1) ?? null,
  }));
}

function numbered(
  numbers: readonly number[],
  size: number,
  buffers: BufferPool,
): Pick<Documents, 'documents' | 'slots'> {
  const slots = buffers.slots(size);
  for (const [at, number] of numbers.entries()) slots.values[number] = slots.base + 1 + at;
  return { documents: Int32Array.from(numbers), slots };
}
