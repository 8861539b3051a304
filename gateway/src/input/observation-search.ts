import type { MessageInitShape } from '@bufbuild/protobuf';
import type { ObservationSearchInputSchema } from '@ces/proto/ces/operations/v1/operations_pb.ts';
import { ObservationSearchBody } from '../schema/observation-search.ts';
import { filtersInput } from './filters.ts';
import { shapeCheck } from './shape.ts';

const check = shapeCheck(ObservationSearchBody);

/** An observation search as sent. Throws InvalidInput. */
export function observationSearchInput(body: unknown): MessageInitShape<typeof ObservationSearchInputSchema> {
  const { filters, ...input } = check(body);
  return { ...input, filters: filtersInput(filters) };
}
