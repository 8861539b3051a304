import type { MessageInitShape } from '@bufbuild/protobuf';
import type { GetRecordStatusResponseSchema } from '@ces/proto/ces/lookup/v1/record_service_pb.ts';
import { findNewestChange } from '../changes/change-feed.ts';
import { countRecord } from '../db/status.ts';
import type { Dependencies } from '../dependencies.ts';

export async function getRecordStatus({
  pool,
}: Dependencies): Promise<MessageInitShape<typeof GetRecordStatusResponseSchema>> {
  const newest = await findNewestChange(pool);
  const sizes = await countRecord(pool);
  return { ...sizes, newest: { tx: newest?.tx ?? 0n, seq: newest?.seq ?? 0n } };
}
