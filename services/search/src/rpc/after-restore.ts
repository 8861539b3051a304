import type { MessageInitShape } from '@bufbuild/protobuf';
import type { Actor } from '@ces/chassis/rpc/caller';
import type { AfterRestoreResponseSchema } from '@ces/proto/ces/restore/v1/restore_service_pb.ts';
import { insertAudit } from '../db/audit.ts';
import type { Dependencies } from '../dependencies.ts';

/** Rebuilt from the record after any restore, while the old index serves. */
export async function afterRestore(
  { db, index, wakeProjector }: Dependencies,
  actor: Actor,
): Promise<MessageInitShape<typeof AfterRestoreResponseSchema>> {
  await insertAudit(db, actor, 'after_restore');
  const begun = await index.beginRebuild();
  wakeProjector();
  return { steps: [{ what: 'rebuilds of the index begun', count: begun ? 1n : 0n }] };
}
