import type { MessageInitShape } from '@bufbuild/protobuf';
import type { Queryable } from '@ces/chassis/postgres/pool';
import type { GetRecordStatusResponseSchema } from '@ces/proto/ces/lookup/v1/record_service_pb.ts';
import { findNewestChange } from '../changes/change-feed.ts';
import type { Dependencies } from '../dependencies.ts';

export async function getRecordStatus({
  pool,
}: Dependencies): Promise<MessageInitShape<typeof GetRecordStatusResponseSchema>> {
  const newest = await findNewestChange(pool);
  const sizes = await countRecord(pool);
  return { ...sizes, newest: { tx: newest?.tx ?? 0n, seq: newest?.seq ?? 0n } };
}

interface RecordSizes {
  readonly companies: bigint;
  readonly observations: bigint;
  readonly evidence: bigint;
}

/** Exact sizes of the record. */
async function countRecord(db: Queryable): Promise<RecordSizes> {
  const { rows } = await db.query<RecordSizes>(
    `select (select count(*) from company) as companies, (select count(*) from observation) as observations,
            (select count(*) from evidence) as evidence`,
  );
  return rows[0] as RecordSizes;
}
