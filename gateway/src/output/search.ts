import type {
  CompanySearchResult,
  Coverage,
  ObservationSearchResult,
} from '@ces/proto/ces/operations/v1/operations_pb.ts';
import { Retrieval } from '@ces/proto/ces/search/v1/search_pb.ts';
import type { CompanyResult } from '../schema/company-search.ts';
import type { ObservationResult } from '../schema/observation-search.ts';
import { renderCompanyMatch } from './company.ts';
import { renderObservation } from './observation.ts';
import type { OperationContext } from './operation.ts';
import { formatInstant, formatInstantOrNull, requireValue } from './values.ts';

export function renderCompanySearch(context: OperationContext, result: CompanySearchResult): CompanyResult {
  return {
    ...context,
    ...renderRetrieval(result),
    companies: result.companies.map(renderCompanyMatch),
    ranking: 'query_relevance_baseline',
    candidate_limit: result.candidateLimit,
    coverage: renderCoverage(requireValue(result.coverage, 'coverage')),
  };
}

export function renderObservationSearch(context: OperationContext, result: ObservationSearchResult): ObservationResult {
  return { ...context, ...renderRetrieval(result), observations: result.observations.map(renderObservation) };
}

type RetrievalFields = Pick<
  CompanyResult,
  'coverage_status' | 'retrieval' | 'as_of' | 'next_cursor' | 'withheld_units' | 'delivery_unit'
>;

function renderRetrieval(
  result: Pick<CompanySearchResult, 'retrieval' | 'asOf' | 'nextCursor' | 'withheldUnits'>,
): RetrievalFields {
  return {
    coverage_status: 'partial',
    retrieval: result.retrieval === Retrieval.HYBRID ? 'hybrid' : 'lexical',
    as_of: formatInstant(result.asOf, 'as_of'),
    next_cursor: result.nextCursor ?? null,
    withheld_units: Number(result.withheldUnits),
    delivery_unit: 'company',
  };
}

function renderCoverage(coverage: Coverage): CompanyResult['coverage'] {
  return {
    requested_companies: coverage.requestedCompanies,
    ...(coverage.targetCompanies !== undefined && { target_companies: coverage.targetCompanies }),
    ...(coverage.availableCompanies !== undefined && { available_companies: coverage.availableCompanies }),
    returned_companies: coverage.returnedCompanies,
    occurred_after: formatInstantOrNull(coverage.occurredAfter),
    stop_reason: coverage.stopReason,
    limitations: coverage.limitations,
  };
}
