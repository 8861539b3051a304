import Type, { type Static } from 'typebox';
import { Limitations } from './company.ts';
import { Observation } from './observation.ts';
import { Allowance, Operation } from './operation.ts';
import { Count, closed, oneOf, orNull, Text } from './primitives.ts';

const domains = Type.Array(Text, { minItems: 1, maxItems: 100, description: 'Hostnames.' });

export const observationLookupFields = {
  domains,
  since: Type.String({
    format: 'date-time',
    description:
      'Exclusive: observations recorded after this instant. RFC 3339 with offset or Z. The next poll passes the last `as_of`.',
  }),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, description: 'Page size, default 100.' })),
  cursor: Type.Optional(Type.String({ description: '`next_cursor` of the page before; use a new key.' })),
};

export const ObservationLookupBody = closed('ObservationLookupBody', observationLookupFields);
export type ObservationLookupBody = Static<typeof ObservationLookupBody>;

const DomainCoverage = closed(
  'DomainCoverage',
  { hostname: Text, status: oneOf(['found', 'not_found']) },
  '`not_found` means no coverage yet, not that the company is inactive.',
);

export const ObservationLookupResult = closed('ObservationLookupResult', {
  usage: Operation,
  request_allowance: Allowance,
  observations: Type.Array(Observation, { maxItems: 100, description: 'Oldest recorded first.' }),
  domains: Type.Array(DomainCoverage, { minItems: 1, maxItems: 100 }),
  as_of: Type.String({ format: 'date-time', description: 'The instant up to which the record was complete.' }),
  next_cursor: orNull(Type.String(), 'Null on the last page.'),
  coverage_status: Type.Literal('partial'),
  limitations: Limitations,
  delivery_unit: Type.Literal('company'),
  withheld_units: Count,
});
export type ObservationLookupResult = Static<typeof ObservationLookupResult>;
