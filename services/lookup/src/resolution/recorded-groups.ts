import type { Queryable } from '@ces/chassis/postgres/pool';
import { readDoNotMergePairs } from '../db/do-not-merge-pair.ts';
import { readCandidates } from '../db/resolution-candidate.ts';
import { type CompanyFacts, factsOf } from './company-facts.ts';
import { CompanyGroups } from './company-groups.ts';
import type { ResolutionVocabulary } from './vocabulary.ts';

/**
 * Reads the groups that could be meant by these facts, and those of `companyIds`. Returns what makes a fresh copy of them,
 * to which a caller adds.
 */
export async function readRecordedGroups(
  db: Queryable,
  vocabulary: ResolutionVocabulary,
  facts: readonly CompanyFacts[],
  companyIds: readonly bigint[] = [],
): Promise<() => CompanyGroups> {
  const candidates = await readCandidates(db, facts, companyIds);
  const members = candidates.map((member) => ({ ...member, facts: factsOf(vocabulary, member) }));
  const doNotMerge = await readDoNotMergePairs(
    db,
    candidates.map((member) => member.companyId),
  );
  return () => new CompanyGroups(vocabulary, members, doNotMerge);
}
