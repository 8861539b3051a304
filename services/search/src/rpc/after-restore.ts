import type { MessageInitShape } from '@bufbuild/protobuf';
import type { AfterRestoreResponseSchema } from '@ces/proto/ces/restore/v1/restore_service_pb.ts';
import type { Dependencies } from '../dependencies.ts';

/** An index is only a copy: whatever it was restored to, it is made anew from the record, beside the one that serves. */
export async function afterRestore({
  index,
  wakeProjector,
}: Dependencies): Promise<MessageInitShape<typeof AfterRestoreResponseSchema>> {
  const begun = await index.beginRebuild();
  wakeProjector();
  return { steps: [{ what: 'rebuilds of the index begun', count: begun ? 1n : 0n }] };
}
