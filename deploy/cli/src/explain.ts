import { fromJson, type JsonValue } from '@bufbuild/protobuf';
import { OperationsAdminService } from '@ces/proto/ces/operations/v1/operations_admin_service_pb.ts';
import { PlanSchema, SearchFiltersSchema, ShortlistCompanySchema } from '@ces/proto/ces/search/v1/search_pb.ts';
import { SearchService } from '@ces/proto/ces/search/v1/search_service_pb.ts';
import type { Answer } from './command.ts';
import { type Plain, plain } from './output/plain.ts';
import type { Body } from './output/search-text.ts';
import { table } from './output/table.ts';
import { Refusal } from './refusal.ts';
import type { Stack } from './stack.ts';

interface Explained {
  readonly company_id: number;
  readonly score: number;
  readonly explanation?: {
    readonly own_text: number;
    readonly company_context: number;
    readonly place: number;
    readonly kind_factor: number;
    readonly matches: readonly string[];
  };
}

/** How the companies of a company search's answer got their places: its frozen plan, asked again as an administrator. */
export async function explain(stack: Stack, body: Body): Promise<Answer> {
  const { id } = body.usage as { id: number };
  const { planJson } = await stack
    .client('operations', OperationsAdminService)
    .getOperationRecord({ operationId: BigInt(id) });
  const frozen = (planJson === '' ? {} : JSON.parse(planJson)) as { plan?: JsonValue; filters?: JsonValue };
  if (frozen.plan === undefined || frozen.filters === undefined)
    throw new Refusal(`Operation ${id} has no plan of its own: explain the first page of its search.`);
  const search = stack.client('search', SearchService);
  const { companies } = await search.search({
    plan: fromJson(PlanSchema, frozen.plan, { ignoreUnknownFields: true }),
    filters: fromJson(SearchFiltersSchema, frozen.filters, { ignoreUnknownFields: true }),
    candidateLimit: Number(body.candidate_limit),
    maxCompanies: Math.max(1, Number((body.coverage as Body).available_companies)),
    explain: true,
  });
  const names = new Map(
    (body.companies as { id: number; name: string }[]).map((company) => [company.id, company.name]),
  );
  const explained = companies
    .map((company) => plain(ShortlistCompanySchema, company) as Plain & Explained)
    .filter((company) => names.has(company.company_id));
  return { json: { ...body, explanation: explained }, text: explainedTable(explained, names) };
}

function explainedTable(companies: readonly Explained[], names: ReadonlyMap<number, string>): string {
  const figure = (value: number | undefined) => (value ?? 0).toFixed(3);
  const scores = table(
    ['company', 'name', 'score', 'own text', 'description', 'place', 'kind factor'],
    companies.map(({ company_id: id, score, explanation: parts }) => [
      id,
      names.get(id),
      figure(score),
      figure(parts?.own_text),
      figure(parts?.company_context),
      figure(parts?.place),
      figure(parts?.kind_factor),
    ]),
    'The index ranks none of these companies any more.',
  );
  const matches = companies.flatMap(({ company_id: id, explanation }) =>
    (explanation?.matches ?? []).map((match) => `${id}: ${match}`),
  );
  return [scores, ...matches].join('\n');
}
