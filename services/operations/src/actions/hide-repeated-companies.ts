import type { Company } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import type { Hydrated } from '../model/result.ts';

/**
 * Undefined: cannot be shown, or an earlier reference shows the same canonical company. A reference
 * that shows nothing hides no later one.
 */
export function hideRepeatedCompanies(
  earlierCompanies: Iterable<bigint>,
): (reference: Hydrated) => Company | undefined {
  const shown = new Set(earlierCompanies);
  return ({ survivorId, company }) => {
    if (!company || shown.has(survivorId)) return undefined;
    shown.add(survivorId);
    return company;
  };
}
