import type { MessageInitShape } from '@bufbuild/protobuf';
import type { ObservationLookupInputSchema } from '@ces/proto/ces/operations/v1/operations_pb.ts';
import { InvalidInput } from '../errors/public-error.ts';
import { ObservationLookupBody } from '../schema/observation-lookup.ts';
import { QueryParameters } from './query.ts';
import { compileShapeCheck } from './shape.ts';

type ObservationLookupInput = MessageInitShape<typeof ObservationLookupInputSchema>;

/** The body of POST /api/observations/lookup. Throws InvalidInput. */
export const readObservationLookupBody: (body: unknown) => ObservationLookupInput =
  compileShapeCheck(ObservationLookupBody);

const checkQuery = compileShapeCheck(ObservationLookupBody, 'The query');

/** The same as query parameters of GET /api/observations. Throws InvalidInput. */
export function readObservationLookupQuery(url: string): ObservationLookupInput {
  const query = QueryParameters.parse(url, ['domains[]', 'since', 'limit', 'cursor']);
  const limit = query.one('limit');
  const input = { domains: query.all('domains[]'), since: query.one('since'), cursor: query.one('cursor') };
  return checkQuery({ ...withoutUndefined(input), ...(limit !== undefined && { limit: parseLimit(limit) }) });
}

function parseLimit(text: string): number {
  if (!/^[1-9][0-9]{0,2}$/.test(text)) throw new InvalidInput('`limit` must be a whole number from 1 to 100.');
  return Number(text);
}

function withoutUndefined(object: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined));
}
