import type { CompanyLookupResult, LookupItem } from '../../schema/company-lookup.ts';
import { companyTitle, observationLines } from './company.ts';
import { costLine, coverageLine, oneLine } from './lines.ts';

const DOMAIN_LENGTH = 253;

export function describeCompanyLookup(result: CompanyLookupResult): string {
  const { companies, lookups } = result;
  return [
    `${companies.length} companies for ${lookups.length} inputs.`,
    coverageLine(result),
    ...lookups.map(lookupLine),
    ...companies.flatMap((company, index) => [
      `${index + 1}. ${companyTitle(company)}`,
      ...company.observations.flatMap(observationLines),
    ]),
    costLine(result),
  ].join('\n');
}

function lookupLine(item: LookupItem): string {
  const input = 'id' in item ? `id ${item.id}` : oneLine(item.domain, DOMAIN_LENGTH);
  return item.status === 'found' ? `${input}: found, company ${item.company_id}` : `${input}: ${item.status}`;
}
