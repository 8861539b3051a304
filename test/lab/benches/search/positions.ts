import { create } from '@bufbuild/protobuf';
import { ChangePositionSchema } from '@ces/proto/ces/lookup/v1/record_pb.ts';

export function positionAt(number: number) {
  return create(ChangePositionSchema, { tx: BigInt(number), seq: 1n });
}
