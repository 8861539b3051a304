import type { CompanySearchInput } from '../session/client.ts';
import { COUNTRIES } from '../words/countries.ts';
import { dayOf } from '../words/dates.ts';
import { DEMAND_CLASSES } from '../words/demand-classes.ts';
import { KINDS } from '../words/kinds.ts';
import { count } from '../words/units.ts';

type Filters = NonNullable<CompanySearchInput['filters']>;

export function filterLabels(filters: Filters = {}): readonly string[] {
  const { kinds = [], countries = [], demand_classes: classes = [], domains = [], company_ids: ids = [] } = filters;
  const { exclude_domains: withoutDomains = [], exclude_company_ids: withoutIds = [] } = filters;
  return [
    kinds.map((kind) => KINDS[kind]).join(' or '),
    countries.map((country) => COUNTRIES[country]).join(' or '),
    classes.map((one) => DEMAND_CLASSES[one].name).join(' or '),
    filters.occurred_after === undefined ? '' : `happened since ${dayOf(String(filters.occurred_after))}`,
    filters.observed_after === undefined ? '' : `collected since ${dayOf(String(filters.observed_after))}`,
    oneOf([...domains, ...ids.map(String)]),
    withoutDomains.length + withoutIds.length === 0
      ? ''
      : `without ${count(withoutDomains.length + withoutIds.length, 'company', 'companies')} that you excluded`,
  ].filter((label) => label !== '');
}

function oneOf(companies: readonly string[]): string {
  if (companies.length === 0) return '';
  return companies.length === 1 ? `only ${companies[0]}` : `one of ${companies.length} companies that you named`;
}
