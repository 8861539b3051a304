import type { Queryable } from '@ces/chassis/postgres/pool';
import { readCompaniesBySourceKey } from '../db/resolution-candidate.ts';
import { factsOf } from '../matching/company-facts.ts';
import type { ResolutionVocabulary } from '../matching/vocabulary.ts';
import type { CheckedCompany } from '../validation/check-company.ts';
import { readRecordedGroups } from './recorded-groups.ts';

/** Finds companies by the rules that resolve records, without writing. Undefined: none matches. */
export async function matchCompanies(
  db: Queryable,
  vocabulary: ResolutionVocabulary,
  source: string,
  companies: readonly (CheckedCompany | undefined)[],
): Promise<(bigint | undefined)[]> {
  const given = companies.flatMap((company) => company ?? []);
  if (given.length === 0) return companies.map(() => undefined);
  const sourceKeys = [...new Set(given.map((company) => company.key))];
  const recorded = await readCompaniesBySourceKey(db, source, sourceKeys);
  const known = new Map(recorded.map((one) => [one.key, one.canonicalId]));
  const copyGroups = await readRecordedGroups(
    db,
    vocabulary,
    given.map((company) => factsOf(vocabulary, company)),
  );
  return companies.map((company) => {
    if (!company) return undefined;
    const groups = copyGroups();
    groups.add(UNRECORDED, factsOf(vocabulary, company));
    const canonicalId = groups.canonicalIdOf(UNRECORDED);
    return known.get(company.key) ?? (canonicalId === UNRECORDED ? undefined : canonicalId);
  });
}

/** Higher than every id, so it is never canonical. */
const UNRECORDED = 2n ** 63n - 1n;
