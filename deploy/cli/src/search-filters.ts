import type { CompanySearchFilters } from '@ces/client';
import type { Command } from 'commander';
import { asText, collect, id, several } from './arguments.ts';

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
    .addOption(several('--country <country>', 'where', COUNTRIES))
    .addOption(several('--kind <kind>', 'what happened', KINDS))
    .addOption(several('--demand-class <class>', 'how directly it shows demand', DEMAND_CLASSES))
    .option('--occurred-after <timestamp>', 'only events since (default: 30 days ago)')
    .option('--company-id <id>', 'only this company, repeatable', collect(id))
    .option('--domain <hostname>', 'only the company of this website, repeatable', collect(asText))
    .option('--exclude-company-id <id>', 'never this company, repeatable', collect(id))
    .option('--exclude-domain <hostname>', 'never the company of this website, repeatable', collect(asText));
}

/**
 * The filters in the gateway's form; the gateway validates them. undefined when no filter was
 * given.
 */
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
