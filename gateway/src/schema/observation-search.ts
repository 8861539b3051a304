import Type, { type Static } from 'typebox';
import { retrievalFields } from './company-search.ts';
import { ObservationSearchFilters } from './filters.ts';
import { Observation } from './observation.ts';
import { Allowance, Operation } from './operation.ts';
import { closed } from './primitives.ts';

export const ObservationSearchBody = closed('ObservationSearchBody', {
  query: Type.String({
    minLength: 1,
    description: 'Short literal terms, 1 to 500 characters after normalisation; every term must occur as a whole word.',
  }),
  filters: Type.Optional(ObservationSearchFilters),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 1000,
      description: 'Page size; at most 25 on plan builder, 50 on professional. Default 10.',
    }),
  ),
  cursor: Type.Optional(
    Type.String({ description: '`next_cursor` of the page before; keep query, filters and limit, use a new key.' }),
  ),
});
export type ObservationSearchBody = Static<typeof ObservationSearchBody>;

export const ObservationResult = closed('ObservationResult', {
  usage: Operation,
  request_allowance: Allowance,
  ...retrievalFields,
  observations: Type.Array(Observation, { description: 'Newest observed first, not grouped by company.' }),
});
export type ObservationResult = Static<typeof ObservationResult>;
