import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { FailureCode, fail } from '@ces/chassis/rpc/failure';
import type { Company } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import {
  type LookUpCompaniesRequest,
  type LookUpCompaniesResponseSchema,
  LookupStatus,
} from '@ces/proto/ces/lookup/v1/lookup_service_pb.ts';
import type { Dependencies } from '../dependencies.ts';
import { type LookedUp, lookUpByDomains } from '../hydration/look-up.ts';
import { toCompany } from '../hydration/rendered-observation.ts';
import { checkBetween } from './arguments.ts';

const MAX_INPUTS = 20;

export async function lookUpCompanies(
  { reads, lookUpIds }: Dependencies,
  { ids, domains }: LookUpCompaniesRequest,
): Promise<MessageInitShape<typeof LookUpCompaniesResponseSchema>> {
  if (ids.length > 0 && domains.length > 0) throw fail(FailureCode.INVALID_REQUEST, 'Either ids or domains, not both.');
  checkBetween('The number of inputs', ids.length + domains.length, 1, MAX_INPUTS);
  const { inputs, readAt } = await (ids.length > 0 ? lookUpIds(ids) : reads.read((db) => lookUpByDomains(db, domains)));
  const companies = new Map<bigint, Company>();
  const outcomes = inputs.map((input) => {
    const found = findCompany(input);
    if (found.company && !companies.has(found.company.id)) companies.set(found.company.id, found.company);
    return { status: found.status, companyId: found.company?.id ?? 0n };
  });
  return { outcomes, companies: [...companies.values()], asOf: timestampFromDate(readAt) };
}

function findCompany(input: LookedUp): { status: LookupStatus; company?: Company } {
  const { known, candidates, company, rows } = input;
  const status = decideOutcome({ known, candidates, observations: rows.length });
  if (status !== LookupStatus.FOUND || !company) return { status };
  return { status, company: toCompany(company.id, company.name, rows) };
}

interface Resolved {
  readonly known: boolean;
  readonly candidates: number;
  readonly observations: number;
}

/** gateway/docs/contract.md, Record and evidence. */
export function decideOutcome({ known, candidates, observations }: Resolved): LookupStatus {
  if (!known) return LookupStatus.NOT_FOUND;
  if (candidates > 1) return LookupStatus.AMBIGUOUS;
  return observations > 0 ? LookupStatus.FOUND : LookupStatus.UNAVAILABLE;
}
