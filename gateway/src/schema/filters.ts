import { SEARCHABLE_KIND_NAMES } from '@ces/proto/catalog';
import Type, { type Static } from 'typebox';
import { Country, DemandClass, Kind } from './observation.ts';
import { closed, Id, Instant, namedChoice } from './primitives.ts';

const MAX_VALUES = 100;

const countries = Type.Array(Country, {
  maxItems: MAX_VALUES,
  description: "The observation's country, or for company profiles the supported headquarters country.",
});
const demandClasses = Type.Array(DemandClass, { maxItems: MAX_VALUES });
const occurredAfter = Type.String({
  format: 'date-time',
  description:
    'Event-date cutoff, inclusive; RFC 3339 with offset or Z. Activity searches default to 30 days ago at 00:00 UTC; structural company-profile searches have no implicit cutoff, and an explicit one excludes undated profiles.',
});
const observedAfter = Type.String({
  format: 'date-time',
  description: 'Collection-date cutoff, inclusive: when evidence was collected, not when the event happened.',
});
const companyIds = Type.Array(Id, { maxItems: MAX_VALUES });
const hostnames = Type.Array(Type.String(), {
  maxItems: MAX_VALUES,
  description:
    'Hostnames, not URLs or e-mail addresses. Case, outer white space and a trailing dot are normalised; subdomains and `www` are not.',
});

const RULES =
  'Values within one field combine as OR, fields as AND. Exclusions win over inclusions. An empty list does not restrict.';

export const CompanySearchFilters = closed(
  'CompanySearchFilters',
  {
    countries: Type.Optional(countries),
    kinds: Type.Optional(
      Type.Array(namedChoice('SearchableKind', [...SEARCHABLE_KIND_NAMES]), {
        maxItems: MAX_VALUES,
        description: 'Absent or empty: every kind is searched but `company_profile`.',
      }),
    ),
    demand_classes: Type.Optional(demandClasses),
    occurred_after: Type.Optional(occurredAfter),
    observed_after: Type.Optional(observedAfter),
    company_ids: Type.Optional(companyIds),
    domains: Type.Optional(hostnames),
    exclude_company_ids: Type.Optional(companyIds),
    exclude_domains: Type.Optional(hostnames),
  },
  RULES,
);
export type CompanySearchFilters = Static<typeof CompanySearchFilters>;

export const ObservationSearchFilters = closed(
  'ObservationSearchFilters',
  {
    countries: Type.Optional(countries),
    kinds: Type.Optional(Type.Array(Kind, { maxItems: MAX_VALUES })),
    demand_classes: Type.Optional(demandClasses),
    occurred_after: Type.Optional(Instant),
    observed_after: Type.Optional(observedAfter),
  },
  RULES,
);
export type ObservationSearchFilters = Static<typeof ObservationSearchFilters>;
