import type { AnyResult } from '@ces/client';
import type { Outcome } from '../look-up/outcomes.ts';
import type { Company, CompanyMatch } from '../session/client.ts';

export type CompanyInResult =
  | { readonly company: Company | CompanyMatch; readonly asOf: string }
  /** What a look-up says of an id that it did not find. */
  | { readonly outcome: Exclude<Outcome, 'found'> };

/** Finds a company in what an operation delivered; undefined when it is not about the company. */
export function companyOf(result: AnyResult, id: number): CompanyInResult | undefined {
  if (!('companies' in result)) return undefined;
  const lookup = 'lookups' in result ? result.lookups.find((one) => 'id' in one && one.id === id) : undefined;
  if (lookup && lookup.status !== 'found') return { outcome: lookup.status };
  // A company that was merged is delivered under the id that it has now.
  const present = lookup?.company_id ?? id;
  const company = result.companies.find((one) => one.id === present);
  return company && { company, asOf: result.as_of };
}
