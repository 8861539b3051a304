import { type IdentifierScheme, isIdentifierScheme, normalIdentifier } from '@ces/proto/registry-identifier';
import type { MappedCompany } from '../sources/mapped.ts';

/** A company's numbers as a registry writes them, without those that are none: cut ones, `0`, what fails its check digit. */
export function companyNumbers(
  numbers: Readonly<Partial<Record<IdentifierScheme, string | undefined>>>,
): MappedCompany['identifiers'] {
  return Object.entries(numbers).flatMap(([scheme, written]) => {
    if (!isIdentifierScheme(scheme) || written === undefined) return [];
    const value = normalIdentifier(scheme, written);
    return value === undefined ? [] : [{ scheme, value }];
  });
}
