import type { Queryable } from '@ces/chassis/postgres/pool';

export interface RecordSizes {
  readonly companies: bigint;
  readonly observations: bigint;
  readonly evidence: bigint;
}

/** Exact sizes of the record. */
export async function countRecord(db: Queryable): Promise<RecordSizes> {
  const { rows } = await db.query<RecordSizes>(
    `select (select count(*) from company) as companies, (select count(*) from observation) as observations,
            (select count(*) from evidence) as evidence`,
  );
  return rows[0] as RecordSizes;
}
