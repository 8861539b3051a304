import { LookupStatus } from '@ces/proto/ces/lookup/v1/lookup_service_pb.ts';
import type { CompanyLookupForm } from '../input/form.ts';
import type { FrozenOutcome } from '../operation/result.ts';
import { lookupStatusName } from '../operation/words.ts';
import { toDate } from '../time.ts';
import { type Bounds, distinctCompanies, type Work, type WorkTools } from './action.ts';
import { toReference } from './hydrate.ts';

/** Looks companies up, inputs in the order accepted. No provider call, no model call, no new data (interface, fact 4). */
export async function lookUpCompanies(
  { lookup }: Pick<WorkTools, 'lookup'>,
  accepted: CompanyLookupForm,
  bounds: Bounds,
): Promise<Work> {
  const inputs: FrozenOutcome['input'][] =
    'ids' in accepted ? accepted.ids.map((id) => ({ id })) : accepted.domains.map((domain) => ({ domain }));
  const response = await lookup.lookUpCompanies(
    'ids' in accepted ? { ids: accepted.ids.map(BigInt) } : { domains: [...accepted.domains] },
    bounds,
  );
  if (response.outcomes.length !== inputs.length) throw new Error('the record answered with another length');
  const places = new Map(response.companies.map((company, index) => [company.id, index]));
  const outcomes = response.outcomes.map(({ status, companyId }, index): FrozenOutcome => {
    const input = inputs[index] ?? { domain: '' };
    const item = places.get(companyId);
    if (status !== LookupStatus.FOUND) return { input, status: lookupStatusName(status) };
    if (item === undefined) throw new Error('the record found a company and did not show it');
    return { input, status: 'found', item };
  });
  const asOf = toDate(response.asOf);
  return {
    hydrated: response.companies.map((company) => ({ survivorId: company.id, company })),
    result: {
      items: response.companies.map(toReference),
      details: { action: 'company_lookup', outcomes },
      settledCompanyIds: distinctCompanies(response.companies.map((company) => company.id)),
      requestUnits: 1,
      freshEvidenceUnits: 0,
      asOf,
      judgedAt: asOf,
      nextCursor: undefined,
    },
  };
}
