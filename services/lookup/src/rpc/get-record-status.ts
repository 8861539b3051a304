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

const COUNTED = 100_000;

/** Exact up to `COUNTED` rows; beyond it, planner statistics. */
async function countRecord(db: Queryable): Promise<RecordSizes> {
  const { rows } = await db.query<RecordSizes>(
    `select ${sizeOf('company')} as companies, ${sizeOf('observation')} as observations, ${sizeOf('evidence')} as evidence`,
  );
  return rows[0] as RecordSizes;
}

function sizeOf(table: string): string {
  return `(
    select case when counted <= ${COUNTED} then counted else greatest(counted, (
             select sum(reltuples)::bigint from pg_class
              where oid = '${table}'::regclass and relkind = 'r' or oid in (select relid from pg_partition_tree('${table}') where isleaf)))
           end
      from (select count(*) as counted from (select from ${table} limit ${COUNTED + 1}) few) size)`;
}
