import type { MessageInitShape } from '@bufbuild/protobuf';
import type { ObservationLookupInputSchema } from '@ces/proto/ces/operations/v1/operations_pb.ts';
import { ObservationLookupBody } from '../schema/observation-lookup.ts';
import { pageParameters, QueryParameters } from './query.ts';
import { compileShapeCheck } from './shape.ts';

type ObservationLookupInput = MessageInitShape<typeof ObservationLookupInputSchema>;

export const readObservationLookupBody: (body: unknown) => ObservationLookupInput =
  compileShapeCheck(ObservationLookupBody);

const checkQuery = compileShapeCheck(ObservationLookupBody, 'The query');

/** Throws InvalidInput. */
export function readObservationLookupQuery(url: string): ObservationLookupInput {
  const query = QueryParameters.parse(url, ['domains[]', 'since', 'limit', 'cursor']);
  return checkQuery({ domains: query.all('domains[]'), ...pageParameters(query, ['since', 'cursor'], 100) });
}
