import type { CompanySearchInput } from '../session/client.ts';
import { isInstant, type SearchForm } from './form.ts';

export type Problems = { readonly [field in keyof SearchForm]?: string };

export type InputOutcome =
  | { readonly input: CompanySearchInput; readonly problems?: undefined }
  | { readonly input?: undefined; readonly problems: Problems };

export interface Circumstances {
  readonly now: Date;
  readonly maxLimit: number;
}

const DAY_MS = 86_400_000;
const MAX_TARGET = 1_000;
const HOSTNAME = 'Enter hostnames such as example.com, without https:// or paths.';

/** Returns the input or its problems. Fields left to a default stay absent. */
export function toInput(form: SearchForm, circumstances: Circumstances): InputOutcome {
  const problems = problemsOf(form, circumstances);
  if (Object.keys(problems).length > 0) return { problems };
  const filters = {
    ...present('kinds', form.kinds),
    ...present('countries', form.countries),
    ...present('demand_classes', form.demandClasses),
    ...present('occurred_after', instantOf(form.occurredAfter, circumstances.now)),
    ...present('observed_after', instantOf(form.observedAfter, circumstances.now)),
    ...present('company_ids', listOf(form.companyIds).map(Number)),
    ...present('domains', listOf(form.domains)),
    ...present('exclude_company_ids', listOf(form.excludedCompanyIds).map(Number)),
    ...present('exclude_domains', listOf(form.excludedDomains)),
  };
  return {
    input: {
      query: form.query.trim(),
      ...(Object.keys(filters).length > 0 && { filters }),
      ...(form.limit !== '' && { limit: Number(form.limit) }),
      ...(form.target !== '' && { target: Number(form.target) }),
    },
  };
}

function listOf(text: string): string[] {
  return text.split(/[\s,;]+/).filter((value) => value !== '');
}

function problemsOf(form: SearchForm, { maxLimit, now }: Circumstances): Problems {
  const { limit, target } = form;
  return {
    ...when(form.query.trim() === '', 'query', 'Describe what the companies should be doing.'),
    ...when(!isCount(limit, maxLimit), 'limit', `Enter a whole number from 1 to ${maxLimit}.`),
    ...when(!isCount(target, MAX_TARGET), 'target', `Enter a whole number from 1 to ${MAX_TARGET}.`),
    ...when(Number(target || MAX_TARGET) < Number(limit || 1), 'target', 'Enter at least the page size.'),
    ...when(!isDate(form.occurredAfter, now), 'occurredAfter', 'Choose a day.'),
    ...when(!isDate(form.observedAfter, now), 'observedAfter', 'Choose a day.'),
    ...idProblem('companyIds', form.companyIds),
    ...idProblem('excludedCompanyIds', form.excludedCompanyIds),
    ...when(!areHostnames(form.domains), 'domains', HOSTNAME),
    ...when(!areHostnames(form.excludedDomains), 'excludedDomains', HOSTNAME),
  };
}

function idProblem(field: keyof SearchForm, text: string): Problems {
  const valid = listOf(text).every((value) => /^[1-9]\d{0,14}$/.test(value));
  return when(!valid, field, 'Enter company ids: whole numbers from 1.');
}

function when(wrong: boolean, field: keyof SearchForm, problem: string): Problems {
  return wrong ? { [field]: problem } : {};
}

function present<Name extends string, Value>(name: Name, value: Value | undefined): { [name in Name]?: Value } {
  const empty = value === undefined || (Array.isArray(value) && value.length === 0);
  return empty ? {} : ({ [name]: value } as { [name in Name]: Value });
}

function isCount(text: string, max: number): boolean {
  return text === '' || (/^\d{1,4}$/.test(text) && Number(text) >= 1 && Number(text) <= max);
}

function areHostnames(text: string): boolean {
  return listOf(text).every((value) => !/[/:@?#]/.test(value));
}

function isDate(text: string, now: Date): boolean {
  return text === '' || Number.isFinite(Date.parse(instantOf(text, now) ?? ''));
}

/** `90d` means 00:00 UTC 90 days ago, as in the defaults of the interface. */
function instantOf(text: string, now: Date): string | undefined {
  const days = /^(\d{1,5})d$/.exec(text)?.[1];
  if (days === undefined && isInstant(text)) return text;
  if (days === undefined) return /^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00.000Z` : undefined;
  const day = new Date(now.getTime() - Number(days) * DAY_MS);
  return `${day.toISOString().slice(0, 10)}T00:00:00.000Z`;
}
