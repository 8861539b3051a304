import type { Queryable } from '@ces/chassis/postgres/pool';
import { readApart, readCandidates, readCompaniesByKey } from '../db/resolution-candidate.ts';
import type { CheckedCompany } from '../validation/check-company.ts';
import { factsOf } from './company-facts.ts';
import { Groups } from './company-groups.ts';
import type { ResolutionVocabulary } from './vocabulary.ts';

/** Which recorded companies are meant, by the rules that resolve records; nothing is written. Undefined: none that is recorded. */
export async function findCompanies(
  db: Queryable,
  vocabulary: ResolutionVocabulary,
  source: string,
  companies: readonly (CheckedCompany | undefined)[],
): Promise<(bigint | undefined)[]> {
  const given = companies.flatMap((company) => company ?? []);
  if (given.length === 0) return companies.map(() => undefined);
  const keys = [...new Set(given.map((company) => company.key))];
  const known = new Map((await readCompaniesByKey(db, source, keys)).map((one) => [one.key, one.survivorId]));
  const facts = given.map((company) => factsOf(vocabulary, company));
  const candidates = await readCandidates(db, facts, []);
  const members = candidates.map((member) => ({ ...member, facts: factsOf(vocabulary, member) }));
  const apart = await readApart(
    db,
    candidates.map((member) => member.companyId),
  );
  return companies.map((company) => {
    if (!company) return undefined;
    const groups = new Groups(vocabulary, members, apart);
    groups.place(NOBODY, factsOf(vocabulary, company));
    const survivorId = groups.survivorOf(NOBODY);
    return known.get(company.key) ?? (survivorId === NOBODY ? undefined : survivorId);
  });
}

/** An id that no row has: beyond every other, so that it never survives. */
const NOBODY = 2n ** 63n - 1n;
