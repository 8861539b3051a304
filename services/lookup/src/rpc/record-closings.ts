import type { MessageInitShape } from '@bufbuild/protobuf';
import type { Actor } from '@ces/chassis/rpc/caller';
import { RecordOutcome } from '@ces/proto/ces/lookup/v1/record_pb.ts';
import type {
  RecordClosingsRequest,
  RecordClosingsResponseSchema,
} from '@ces/proto/ces/lookup/v1/record_service_pb.ts';
import type { Dependencies } from '../dependencies.ts';
import { auditRecorded } from '../recording/audit-recorded.ts';
import { accepted } from '../recording/batch-results.ts';
import { writeClosings } from '../recording/write-closings.ts';
import { withResolutionLock } from '../resolution/resolution-lock.ts';
import { checkClosing } from '../validation/check-closing.ts';
import { checkBatch } from './arguments.ts';

export async function recordClosings(
  dependencies: Dependencies,
  request: RecordClosingsRequest,
  actor: Actor,
): Promise<MessageInitShape<typeof RecordClosingsResponseSchema>> {
  const { source } = request;
  checkBatch(source, request.closings.length);
  const checked = request.closings.map(checkClosing);
  const { recorded, tx } = await withResolutionLock(dependencies, async (client) => {
    const written = await writeClosings(client, dependencies.vocabulary, source, accepted(checked));
    await auditRecorded(client, actor, 'record_closings', source, [...written.recorded.values()]);
    return written;
  });
  dependencies.notifier.notify(tx);
  const closings = checked.map((one, index) =>
    one.ok ? recorded.get(index) : { outcome: RecordOutcome.REFUSED, reason: one.reason },
  );
  return { closings: closings.map((one) => one ?? {}), tx: tx ?? 0n };
}
