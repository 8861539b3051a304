import type { AnyResult } from '@ces/client';
import type { Outcome } from '../look-up/outcomes.ts';
import type { Company, CompanyMatch } from '../session/client.ts';

export type CompanyInResult =
  | { readonly company: Company | CompanyMatch; readonly asOf: string }
  | { readonly outcome: Exclude<Outcome, 'found'> };

export function companyOf(result: AnyResult, id: number): CompanyInResult | undefined {
  if (!('companies' in result)) return undefined;
  const lookup = 'lookups' in result ? result.lookups.find((one) => 'id' in one && one.id === id) : undefined;
  if (lookup && lookup.status !== 'found') return { outcome: lookup.status };
  // A merged company is delivered under its present id.
  const present = lookup?.company_id ?? id;
  const company = result.companies.find((one) => one.id === present);
  return company && { company, asOf: result.as_of };
}
