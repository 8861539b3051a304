import { fromJson, type JsonValue } from '@bufbuild/protobuf';
import { OperationsAdminService } from '@ces/proto/ces/operations/v1/operations_admin_service_pb.ts';
import { ExplainedCompanySchema } from '@ces/proto/ces/search/v1/explanation_pb.ts';
import { PlanSchema, SearchFiltersSchema } from '@ces/proto/ces/search/v1/search_pb.ts';
import { SearchAdminService } from '@ces/proto/ces/search/v1/search_service_pb.ts';
import type { Answer } from '../command.ts';
import { explanationText } from '../output/explanation-text.ts';
import { plain } from '../output/plain.ts';
import type { Body } from '../output/search-text.ts';
import { Refusal } from '../refusal.ts';
import type { Stack } from './stack.ts';

const COMPANIES = 100;

export async function explain(stack: Stack, body: Body): Promise<Answer> {
  const { id } = body.usage as { id: number };
  const { planJson } = await stack
    .client('operations', OperationsAdminService)
    .getOperationRecord({ operationId: BigInt(id) });
  const frozen = (planJson === '' ? {} : JSON.parse(planJson)) as { plan?: JsonValue; filters?: JsonValue };
  if (frozen.plan === undefined || frozen.filters === undefined)
    throw new Refusal(`Operation ${id} has no plan of its own: explain the first page of its search.`);
  const { companies } = await stack.client('search', SearchAdminService).explainSearch({
    plan: fromJson(PlanSchema, frozen.plan, { ignoreUnknownFields: true }),
    filters: fromJson(SearchFiltersSchema, frozen.filters, { ignoreUnknownFields: true }),
    candidateLimit: Number(body.candidate_limit),
    maxCompanies: Math.min(COMPANIES, Math.max(1, Number((body.coverage as Body).available_companies))),
  });
  const shown = new Set((body.companies as { id: number }[]).map((company) => company.id));
  const explained = companies.filter((company) => shown.has(Number(company.companyId)));
  return {
    json: { ...body, explanation: explained.map((company) => plain(ExplainedCompanySchema, company)) },
    text: explanationText(explained),
  };
}
