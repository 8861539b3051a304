import type { Company as CompanyMessage } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import type { CompanyMatch as CompanyMatchMessage } from '@ces/proto/ces/operations/v1/operations_pb.ts';
import type { Company, CompanyMatch } from '../schema/company.ts';
import { renderDemandClass, renderSupportingObservation } from './observation.ts';
import { requireValue } from './values.ts';

export function renderCompanyMatch(match: CompanyMatchMessage): CompanyMatch {
  const company = requireValue(match.company, 'company of a match');
  return {
    ...identity(company),
    limitations: match.limitations,
    demand_class: renderDemandClass(match.demandClass),
    why_it_may_matter: match.whyItMayMatter,
    match: { query: match.query, observation_ids: company.observations.map(({ id }) => Number(id)) },
    observations: company.observations.map(renderSupportingObservation),
  };
}

/** gateway/docs/contract.md, Record and evidence. */
const LIMITATIONS = ['limited_source_coverage'];

export function renderCompany(company: CompanyMessage): Company {
  return {
    ...identity(company),
    observations: company.observations.map(renderSupportingObservation),
    limitations: LIMITATIONS,
  };
}

function identity(company: CompanyMessage): Pick<Company, 'id' | 'name' | 'domains'> {
  return {
    id: Number(company.id),
    name: company.name,
    domains: company.domains.map(({ id, hostname }) => ({ id: Number(id), hostname })),
  };
}
