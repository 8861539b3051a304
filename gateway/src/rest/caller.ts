import type { MessageInitShape } from '@bufbuild/protobuf';
import type { CallerSchema } from '@ces/proto/ces/operations/v1/operations_pb.ts';
import type { Call } from './route.ts';

export function callerOf(call: Call): MessageInitShape<typeof CallerSchema> {
  return { identity: { case: 'principal', value: call.principal } };
}
