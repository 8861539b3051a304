import type { MessageInitShape } from '@bufbuild/protobuf';
import { FailureCode, fail } from '@ces/chassis/rpc/failure';
import type {
  GetObservationRequest,
  GetObservationResponseSchema,
} from '@ces/proto/ces/lookup/v1/lookup_service_pb.ts';
import type { Dependencies } from '../dependencies.ts';
import { findObservation } from '../hydration/observation-look-up.ts';
import { toObservation } from '../hydration/rendered-observation.ts';

export async function getObservation(
  { reads }: Dependencies,
  { observationId }: GetObservationRequest,
): Promise<MessageInitShape<typeof GetObservationResponseSchema>> {
  const row = await reads.read((db) => findObservation(db, observationId));
  if (!row) throw fail(FailureCode.OBSERVATION_NOT_FOUND, 'No deliverable observation has that id.');
  return { observation: toObservation(row) };
}
