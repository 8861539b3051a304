import { type IdentifierScheme, isIdentifierScheme, normalIdentifier } from '@ces/proto/registry-identifier';
import type { MappedCompany } from '../../connector/mapped.ts';

export function companyNumbers(
  numbers: Readonly<Partial<Record<IdentifierScheme, string | undefined>>>,
): MappedCompany['identifiers'] {
  return Object.entries(numbers).flatMap(([scheme, written]) => {
    if (!isIdentifierScheme(scheme) || written === undefined) return [];
    const value = normalIdentifier(scheme, written);
    return value === undefined ? [] : [{ scheme, value }];
  });
}
