import { sourceOf } from '../company/source-of.ts';
import type { Company, CompanyMatch, Evidence, Source, SupportingObservation } from '../session/client.ts';
import type { Cell } from './csv.ts';

export interface CompanyPage {
  readonly usageId: number;
  readonly requestKey: string;
  readonly asOf: string;
  readonly companies: readonly (Company | CompanyMatch)[];
}

export const COMPANY_COLUMNS = [
  'company_id',
  'company_name',
  'domains',
  'company_demand_class',
  'company_why_it_may_matter',
  'observation_id',
  'kind',
  'observed_fact',
  'why_it_may_matter',
  'demand_class',
  'country',
  'confidence',
  'occurred_at',
  'observed_at',
  'expires_at',
  'categories',
  'source_uri',
  'excerpt',
  'evidence_occurred_at',
  'evidence_observed_at',
  'evidence_last_seen_at',
  'source',
  'licence',
  'licence_url',
  'attribution',
  'as_of',
  'usage_id',
  'request_key',
] as const;
type CompanyColumn = (typeof COMPANY_COLUMNS)[number];
type CompanyRow = Readonly<Record<CompanyColumn, Cell>>;

export function companyRows(pages: readonly CompanyPage[], sources: readonly Source[]): readonly CompanyRow[] {
  return pages.flatMap((page) =>
    page.companies.flatMap((company) =>
      company.observations.flatMap((observation) =>
        observation.evidence.map((evidence) => ({
          ...companyCells(company),
          ...observationCells(observation),
          ...evidenceCells(evidence, sources),
          as_of: page.asOf,
          usage_id: page.usageId,
          request_key: page.requestKey,
        })),
      ),
    ),
  );
}

function companyCells(company: Company | CompanyMatch) {
  const match = 'demand_class' in company ? company : undefined;
  return {
    company_id: company.id,
    company_name: company.name,
    domains: company.domains.map(({ hostname }) => hostname).join(' '),
    company_demand_class: match?.demand_class,
    company_why_it_may_matter: match?.why_it_may_matter,
  };
}

function observationCells(observation: SupportingObservation) {
  const { id, evidence: _, categories = [], ...cells } = observation;
  return { ...cells, observation_id: id, categories: categories.join(' ') };
}

function evidenceCells(evidence: Evidence, sources: readonly Source[]) {
  const source = sourceOf(evidence.source_uri, sources);
  return {
    source_uri: evidence.source_uri,
    excerpt: evidence.excerpt,
    evidence_occurred_at: evidence.occurred_at,
    evidence_observed_at: evidence.observed_at,
    evidence_last_seen_at: evidence.last_seen_at,
    source: source?.name,
    licence: source?.licence,
    licence_url: source?.licence_url,
    attribution: source?.attribution,
  };
}
