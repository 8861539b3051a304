import type { Queryable } from '@ces/chassis/postgres/pool';
import { readDoNotMergePairs } from '../db/do-not-merge-pair.ts';
import { type RecordedMember, readCandidates, readLatestUse } from '../db/resolution-candidate.ts';
import { type CompanyFacts, factsOf } from '../matching/company-facts.ts';
import { CompanyGroups, type Member } from '../matching/company-groups.ts';
import type { ResolutionVocabulary } from '../matching/vocabulary.ts';

export async function readRecordedGroups(
  db: Queryable,
  vocabulary: ResolutionVocabulary,
  facts: readonly CompanyFacts[],
  companyIds: readonly bigint[] = [],
): Promise<() => CompanyGroups> {
  const candidates = await readCandidates(db, facts, companyIds);
  const members = await withLatestUse(db, facts, vocabulary, candidates);
  const doNotMerge = await readDoNotMergePairs(
    db,
    candidates.map((member) => member.companyId),
  );
  return () => new CompanyGroups(vocabulary, members, doNotMerge);
}

/** Shows whether a name that another company had was still in use. */
async function withLatestUse(
  db: Queryable,
  incoming: readonly CompanyFacts[],
  vocabulary: ResolutionVocabulary,
  candidates: readonly RecordedMember[],
): Promise<Member[]> {
  const members = candidates.map((member) => ({ ...member, facts: factsOf(vocabulary, member) }));
  const borne = new Set(
    [...incoming, ...members.map(({ facts }) => facts)].flatMap(({ formerNames }) =>
      formerNames.flatMap(({ nameKey }) => (nameKey === '' ? [] : nameKey)),
    ),
  );
  const questioned = members.filter(({ facts }) => facts.names.some(({ nameKey }) => borne.has(nameKey)));
  const latest = await readLatestUse(
    db,
    questioned.map(({ companyId }) => companyId),
  );
  return members.map(({ companyId, canonicalId, facts }) => {
    const usedAt = latest.get(companyId);
    return { companyId, canonicalId, facts: { ...facts, names: facts.names.map((name) => ({ ...name, usedAt })) } };
  });
}
