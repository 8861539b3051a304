import { LookupStatus } from '@ces/proto/ces/lookup/v1/lookup_service_pb.ts';
import type {
  CompanyLookupResult as CompanyLookupMessage,
  LookupItem as LookupItemMessage,
} from '@ces/proto/ces/operations/v1/operations_pb.ts';
import type { CompanyDetail } from '../schema/company.ts';
import type { CompanyLookupResult, LookupItem } from '../schema/company-lookup.ts';
import { renderCompany } from './company.ts';
import type { OperationContext } from './operation.ts';
import { formatInstant, requireValue } from './values.ts';

const MISSED = {
  [LookupStatus.NOT_FOUND]: 'not_found',
  [LookupStatus.AMBIGUOUS]: 'ambiguous',
  [LookupStatus.UNAVAILABLE]: 'unavailable',
} as const;

export function renderCompanyLookup(context: OperationContext, result: CompanyLookupMessage): CompanyLookupResult {
  return {
    ...context,
    companies: result.companies.map(renderCompany),
    lookups: result.lookups.map(renderItem),
    as_of: formatInstant(result.asOf, 'as_of'),
    coverage_status: 'partial',
    limitations: result.limitations,
    delivery_unit: 'company',
    withheld_units: Number(result.withheldUnits),
  };
}

/** Undefined when not found now (gateway/docs/contract.md, Idempotency). */
export function renderOneCompany(result: CompanyLookupMessage): CompanyDetail | undefined {
  const [item] = result.lookups;
  if (item?.status !== LookupStatus.FOUND) return undefined;
  const company = result.companies.find(({ id }) => id === item.companyId);
  return company && { company: renderCompany(company) };
}

function renderItem(item: LookupItemMessage): LookupItem {
  const input = item.input.case === 'domain' ? { domain: item.input.value } : { id: Number(item.input.value) };
  if (item.status === LookupStatus.FOUND)
    return { ...input, status: 'found', company_id: Number(requireValue(item.companyId, 'company_id')) };
  return { ...input, status: MISSED[item.status as keyof typeof MISSED] };
}
