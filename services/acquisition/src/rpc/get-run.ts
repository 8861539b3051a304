import type { MessageInitShape } from '@bufbuild/protobuf';
import { FailureCode, fail } from '@ces/chassis/rpc/failure';
import type {
  GetRunRequest,
  GetRunResponseSchema,
} from '@ces/proto/ces/acquisition/v1/acquisition_admin_service_pb.ts';
import { findRun } from '../db/source-run.ts';
import type { Dependencies } from './dependencies.ts';
import { toRunMessage } from './run-message.ts';

export async function getRun(
  { pool }: Dependencies,
  { runId }: GetRunRequest,
): Promise<MessageInitShape<typeof GetRunResponseSchema>> {
  const run = await findRun(pool, runId);
  if (!run) throw fail(FailureCode.NOT_FOUND, 'There is no run of that number.');
  return { run: toRunMessage(run) };
}
