import type { CompanyLookupResult, LookupItem } from '../../schema/company-lookup.ts';
import { companyLines } from './company.ts';
import { fitCompanies } from './fit-companies.ts';
import { costLine, coverageLine, oneLine } from './lines.ts';

const DOMAIN_LENGTH = 253;

export function describeCompanyLookup(result: CompanyLookupResult): string {
  const { companies, lookups } = result;
  const head = [
    `${companies.length} companies for ${lookups.length} inputs.`,
    coverageLine(result),
    ...lookups.map(lookupLine),
  ];
  const tail = [costLine(result)];
  const { notice, lines } = fitCompanies(companies, [...head, ...tail], companyLines);
  return [...head, ...notice, ...lines, ...tail].join('\n');
}

function lookupLine(item: LookupItem): string {
  const input = 'id' in item ? `id ${item.id}` : oneLine(item.domain, DOMAIN_LENGTH);
  return item.status === 'found' ? `${input}: found, company ${item.company_id}` : `${input}: ${item.status}`;
}
