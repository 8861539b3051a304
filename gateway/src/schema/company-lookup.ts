import Type, { type Static } from 'typebox';
import { Company, Limitations } from './company.ts';
import { Allowance, Operation } from './operation.ts';
import { Count, closed, Id, Instant, oneOf, Text } from './primitives.ts';

export const MAX_INPUTS = 20;

export const CompanyLookupInput = {
  ids: Type.Array(Id, { minItems: 1, maxItems: MAX_INPUTS, description: 'Company ids; not together with domains.' }),
  domains: Type.Array(Text, { minItems: 1, maxItems: MAX_INPUTS, description: 'Hostnames; not together with ids.' }),
};

const found = Type.Literal('found');
const notFound = oneOf(['not_found', 'ambiguous', 'unavailable']);

export const LookupItem = Type.Union(
  [
    closed('FoundById', { id: Id, status: found, company_id: Id }),
    closed('NotFoundById', { id: Id, status: notFound }),
    closed('FoundByDomain', { domain: Text, status: found, company_id: Id }),
    closed('NotFoundByDomain', { domain: Text, status: notFound }),
  ],
  {
    title: 'LookupItem',
    description:
      'One for each distinct input, in input order. `unavailable`: known, but nothing current supports it; `ambiguous`: current evidence ties the domain to several companies.',
  },
);
export type LookupItem = Static<typeof LookupItem>;

export const CompanyLookupResult = closed('CompanyLookupResult', {
  usage: Operation,
  request_allowance: Allowance,
  companies: Type.Array(Company, { maxItems: MAX_INPUTS }),
  lookups: Type.Array(LookupItem, { minItems: 1, maxItems: MAX_INPUTS }),
  as_of: Instant,
  coverage_status: Type.Literal('partial'),
  limitations: Limitations,
  delivery_unit: Type.Literal('company'),
  withheld_units: Count,
});
export type CompanyLookupResult = Static<typeof CompanyLookupResult>;
