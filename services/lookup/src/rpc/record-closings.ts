import type { MessageInitShape } from '@bufbuild/protobuf';
import { RecordOutcome } from '@ces/proto/ces/lookup/v1/record_pb.ts';
import type {
  RecordClosingsRequest,
  RecordClosingsResponseSchema,
} from '@ces/proto/ces/lookup/v1/record_service_pb.ts';
import type { Dependencies } from '../dependencies.ts';
import { accepted } from '../recording/batch-results.ts';
import { writeClosings } from '../recording/write-closings.ts';
import { withResolutionLock } from '../resolution/resolution-lock.ts';
import { checkClosing } from '../validation/check-closing.ts';
import { checkBatch } from './arguments.ts';

export async function recordClosings(
  dependencies: Dependencies,
  request: RecordClosingsRequest,
): Promise<MessageInitShape<typeof RecordClosingsResponseSchema>> {
  const { source } = request;
  checkBatch(source, request.closings.length);
  const checked = request.closings.map(checkClosing);
  const { recorded, tx } = await withResolutionLock(dependencies, (client) =>
    writeClosings(client, dependencies.vocabulary, source, accepted(checked)),
  );
  dependencies.notifier.notify(tx);
  const closings = checked.map((one, index) =>
    one.ok ? recorded.get(index) : { outcome: RecordOutcome.REFUSED, reason: one.reason },
  );
  return { closings: closings.map((one) => one ?? {}), tx: tx ?? 0n };
}
