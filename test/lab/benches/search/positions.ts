import { create } from '@bufbuild/protobuf';
import { ChangePositionSchema } from '@ces/proto/ces/lookup/v1/record_pb.ts';

/** A position in a made-up change list. */
export function positionAt(number: number) {
  return create(ChangePositionSchema, { tx: BigInt(number), seq: 1n });
}
