import { create } from '@bufbuild/protobuf';
import { DEMAND_CLASS_NAMES, demandClassNamed } from '@ces/proto/catalog';
import type { Company } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import {
  type CompanyMatch,
  CompanyMatchSchema,
  type CompanySearchResult,
  CompanySearchResultSchema,
} from '@ces/proto/ces/operations/v1/operations_pb.ts';
import { hideRepeatedCompanies } from '../actions/hide-repeated-companies.ts';
import type { CompanySearchForm } from '../input/form.ts';
import { instantToTimestamp } from '../input/instant.ts';
import { RETRIEVALS } from '../model/enum-names.ts';
import type { CompanySearchDetails, Hydrated, StoredResult } from '../model/result.ts';
import { toTimestamp } from '../time.ts';
import { CONSTANT_LIMITATIONS, currentLimitations } from './limitations.ts';

/** Withholds an item when an earlier item or page shows the same canonical company. */
export function renderCompanySearch(
  form: CompanySearchForm,
  result: StoredResult,
  details: CompanySearchDetails,
  hydrated: readonly Hydrated[],
  earlierCompanies: ReadonlySet<bigint>,
): CompanySearchResult {
  const shown = hydrated.map(hideRepeatedCompanies(earlierCompanies)).filter((company) => company !== undefined);
  const companies = shown.map((company) => renderMatch(form.query, company));
  const withheld = result.settledCompanyIds.length - companies.length;
  const { coverage } = details;
  return create(CompanySearchResultSchema, {
    asOf: toTimestamp(result.asOf),
    retrieval: RETRIEVALS[coverage.retrieval],
    ...(result.nextCursor !== undefined && { nextCursor: result.nextCursor }),
    withheldUnits: BigInt(withheld),
    companies,
    candidateLimit: coverage.candidate_limit,
    coverage: {
      requestedCompanies: details.limit,
      targetCompanies: coverage.target,
      availableCompanies: coverage.available,
      returnedCompanies: companies.length,
      ...(coverage.occurred_after && { occurredAfter: instantToTimestamp(coverage.occurred_after) }),
      stopReason: details.stop_reason,
      limitations: currentLimitations(coverage.limitations, withheld),
    },
  });
}

/** Uses one nested observation: the best ranked of the strongest class. */
function renderMatch(query: string, company: Company): CompanyMatch {
  const strongest = DEMAND_CLASS_NAMES.flatMap((name) =>
    company.observations.filter((observation) => observation.demandClass === demandClassNamed(name)),
  )[0];
  if (!strongest) throw new Error(`company ${company.id} came without an observation`);
  return create(CompanyMatchSchema, {
    company,
    query,
    demandClass: strongest.demandClass,
    whyItMayMatter: strongest.whyItMayMatter,
    limitations: [...CONSTANT_LIMITATIONS],
  });
}
