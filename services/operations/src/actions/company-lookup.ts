import { create } from '@bufbuild/protobuf';
import { LookupStatus } from '@ces/proto/ces/lookup/v1/lookup_service_pb.ts';
import { type CompanyLookupInput, CompanyLookupInputSchema } from '@ces/proto/ces/operations/v1/operations_pb.ts';
import type { CompanyLookupForm } from '../input/form.ts';
import { parseCompanyLookup } from '../input/parse.ts';
import { lookupStatusName } from '../model/enum-names.ts';
import type { FrozenOutcome } from '../model/result.ts';
import { toDate } from '../time.ts';
import {
  type ActionDependencies,
  type ActionOutput,
  type Bounds,
  distinctCompanies,
  type PaymentPath,
  type RequestedAction,
} from './action.ts';
import { toReference } from './hydrate.ts';

export function requestCompanyLookup(
  deps: ActionDependencies,
  input: CompanyLookupInput = create(CompanyLookupInputSchema),
): RequestedAction {
  const { accepted, form } = parseCompanyLookup(input);
  const path: PaymentPath = {
    kind: 'charge',
    worstCaseUnits: 'ids' in accepted ? accepted.ids.length : accepted.domains.length,
    perform: (bounds) => lookUpCompanies(deps, accepted, bounds),
  };
  return { input: { action: 'company_lookup', form }, admit: () => path, admitUnseen: () => path };
}

async function lookUpCompanies(
  { lookup }: Pick<ActionDependencies, 'lookup'>,
  accepted: CompanyLookupForm,
  bounds: Bounds,
): Promise<ActionOutput> {
  const inputs: FrozenOutcome['input'][] =
    'ids' in accepted ? accepted.ids.map((id) => ({ id })) : accepted.domains.map((domain) => ({ domain }));
  const response = await lookup.lookUpCompanies(
    'ids' in accepted ? { ids: accepted.ids.map(BigInt) } : { domains: [...accepted.domains] },
    bounds,
  );
  if (response.outcomes.length !== inputs.length) throw new Error('the record answered with another length');
  const positions = new Map(response.companies.map((company, index) => [company.id, index]));
  const outcomes = response.outcomes.map(({ status, companyId }, index): FrozenOutcome => {
    const input = inputs[index] ?? { domain: '' };
    const item = positions.get(companyId);
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
