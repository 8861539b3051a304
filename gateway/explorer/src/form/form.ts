import { COUNTRIES, type Country } from '../words/countries.ts';
import { DEMAND_CLASS_ORDER, type DemandClass } from '../words/demand-classes.ts';
import { SEARCHABLE_KINDS, type SearchableKind } from '../words/kinds.ts';

/** Texts as typed. The URL contains them, but never the API key or the request key. */
export interface SearchForm {
  readonly query: string;
  readonly kinds: readonly SearchableKind[];
  readonly countries: readonly Country[];
  readonly demandClasses: readonly DemandClass[];
  readonly domains: string;
  readonly excludedDomains: string;
  readonly companyIds: string;
  readonly excludedCompanyIds: string;
  /** Empty, a number of days back (`90d`), a day (`2026-01-31`) or an instant (RFC 3339, UTC). */
  readonly occurredAfter: string;
  readonly observedAfter: string;
  readonly limit: string;
  readonly target: string;
  readonly background: boolean;
}

const COUNTRY_NAMES = Object.keys(COUNTRIES) as Country[];
const TEXTS = {
  query: 'q',
  domains: 'domains',
  excludedDomains: 'not-domains',
  companyIds: 'ids',
  excludedCompanyIds: 'not-ids',
  occurredAfter: 'occurred',
  observedAfter: 'collected',
  limit: 'limit',
  target: 'target',
} as const satisfies { readonly [field in keyof SearchForm]?: string };
type TextField = keyof typeof TEXTS;
const TEXT_FIELDS = Object.keys(TEXTS) as TextField[];

export function isInstant(text: string): boolean {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/.test(text);
}

export function readForm(search: string): SearchForm {
  const parameters = new URLSearchParams(search);
  const text = (field: TextField) => parameters.get(TEXTS[field]) ?? '';
  return {
    ...(Object.fromEntries(TEXT_FIELDS.map((field) => [field, text(field)])) as Record<TextField, string>),
    kinds: SEARCHABLE_KINDS.filter((kind) => parameters.getAll('kind').includes(kind)),
    countries: COUNTRY_NAMES.filter((country) => parameters.getAll('country').includes(country)),
    demandClasses: DEMAND_CLASS_ORDER.filter((one) => parameters.getAll('class').includes(one)),
    background: parameters.get('background') === 'yes',
  };
}

export function writeForm(form: SearchForm): string {
  const parameters = new URLSearchParams();
  for (const field of TEXT_FIELDS) if (form[field] !== '') parameters.set(TEXTS[field], form[field]);
  for (const kind of form.kinds) parameters.append('kind', kind);
  for (const country of form.countries) parameters.append('country', country);
  for (const one of form.demandClasses) parameters.append('class', one);
  if (form.background) parameters.set('background', 'yes');
  return parameters.toString();
}

export function countFilters(form: SearchForm): number {
  const lists = [form.kinds, form.countries, form.demandClasses].filter(({ length }) => length > 0);
  const texts = [form.domains, form.excludedDomains, form.companyIds, form.excludedCompanyIds];
  const dates = [form.occurredAfter, form.observedAfter];
  return lists.length + [...texts, ...dates].filter((text) => text.trim() !== '').length;
}
