import Type, { type Static } from 'typebox';
import { DemandClass, SupportingObservation } from './observation.ts';
import { closed, Id, Text } from './primitives.ts';

const Domain = closed('Domain', { id: Id, hostname: Text });

const domains = Type.Array(Domain, {
  description: 'Current website domains supported by the returned observations, not every domain of the company.',
});
const observations = Type.Array(SupportingObservation, { maxItems: 3 });
export const Limitations = Type.Array(Text, {
  description: 'For example `limited_source_coverage`; values may be added.',
});

export const CompanyMatch = closed('CompanyMatch', {
  id: Id,
  name: Text,
  domains,
  limitations: Limitations,
  demand_class: DemandClass,
  why_it_may_matter: Text,
  match: closed(
    'Match',
    { query: Text, observation_ids: Type.Array(Id) },
    'The query as normalised, and the nested observations in the order of their rank.',
  ),
  observations,
});
export type CompanyMatch = Static<typeof CompanyMatch>;

export const Company = closed('Company', { id: Id, name: Text, domains, observations, limitations: Limitations });
export type Company = Static<typeof Company>;

export const CompanyDetail = closed('CompanyDetail', { company: Company });
export type CompanyDetail = Static<typeof CompanyDetail>;
