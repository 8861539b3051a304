import type { Observation } from '../session/client.ts';

export type Kind = Observation['kind'];

export const KINDS: Readonly<Record<Kind, string>> = {
  procurement_request: 'Procurement request',
  facility_expansion: 'Facility expansion',
  funding_round: 'Funding round',
  leadership_change: 'Leadership change',
  product_launch: 'Product launch',
  partnership: 'Partnership',
  technology_use: 'Technology in use',
  job_posting: 'Job posting',
  company_profile: 'Company profile',
};

export const SEARCHABLE_KINDS = [
  'procurement_request',
  'facility_expansion',
  'company_profile',
] as const satisfies readonly Kind[];
export type SearchableKind = (typeof SEARCHABLE_KINDS)[number];
