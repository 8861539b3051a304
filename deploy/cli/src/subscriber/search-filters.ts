import type { CompanySearchFilters } from '@ces/client';
import type { Command } from 'commander';
import { asText, collect, id, several } from '../arguments.ts';

export interface FilterOptions {
  readonly country?: string[];
  readonly kind?: string[];
  readonly demandClass?: string[];
  readonly occurredAfter?: string;
  readonly companyId?: bigint[];
  readonly domain?: string[];
  readonly excludeCompanyId?: bigint[];
  readonly excludeDomain?: string[];
}

const COUNTRIES = ['CA', 'US'];
const KINDS = ['company_profile', 'procurement_request', 'facility_expansion'];
const DEMAND_CLASSES = ['explicit_request', 'proxy', 'structural'];

export function withFilters(verb: Command): Command {
  return verb
    .addOption(several('--country <country>', 'limit to these countries', COUNTRIES))
    .addOption(several('--kind <kind>', 'limit to these kinds of observation', KINDS))
    .addOption(several('--demand-class <class>', 'limit to these demand classes', DEMAND_CLASSES))
    .option('--occurred-after <timestamp>', 'limit to events since this instant (default: 30 days ago)')
    .option('--company-id <id>', 'limit to this company, repeatable', collect(id))
    .option('--domain <hostname>', 'limit to the company with this domain, repeatable', collect(asText))
    .option('--exclude-company-id <id>', 'exclude this company, repeatable', collect(id))
    .option('--exclude-domain <hostname>', 'exclude the company with this domain, repeatable', collect(asText));
}

/** The filters in the gateway's form; the gateway validates them. undefined without filters. */
export function filtersOf(options: FilterOptions, observedAfter?: string): CompanySearchFilters | undefined {
  const filters = given({
    countries: options.country,
    kinds: options.kind,
    demand_classes: options.demandClass,
    occurred_after: options.occurredAfter,
    observed_after: observedAfter,
    company_ids: options.companyId?.map(Number),
    domains: options.domain,
    exclude_company_ids: options.excludeCompanyId?.map(Number),
    exclude_domains: options.excludeDomain,
  });
  return Object.keys(filters).length > 0 ? (filters as CompanySearchFilters) : undefined;
}

export function given(values: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}
