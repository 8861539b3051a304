import { create } from '@bufbuild/protobuf';
import { inTransaction, type Pool, type Queryable } from '@ces/chassis/postgres/pool';
import { type ChangePosition, ChangePositionSchema } from '@ces/proto/ces/lookup/v1/record_pb.ts';

export interface ObservationVector {
  readonly observationId: bigint;
  readonly digest: Buffer;
  readonly vector: Int8Array;
}

export interface VectorBatch {
  readonly model: string;
  readonly vectors: readonly ObservationVector[];
  readonly gone: readonly bigint[];
  readonly to: ChangePosition | undefined;
}

export async function readVectors(
  db: Queryable,
  observationIds: readonly bigint[],
  model: string,
): Promise<Map<bigint, Int8Array>> {
  const { rows } = await db.query<{ observation_id: bigint; vector: Buffer }>({
    name: 'read-vectors',
    text: 'select observation_id, vector from observation_vector where observation_id = any($1) and model = $2',
    values: [observationIds, model],
  });
  return new Map(rows.map(({ observation_id: id, vector }) => [id, asInt8(vector)]));
}

export async function readUnchanged(
  db: Queryable,
  digests: ReadonlyMap<bigint, Buffer>,
  model: string,
): Promise<ReadonlySet<bigint>> {
  const { rows } = await db.query<{ observation_id: bigint }>(
    `select observation_id
       from observation_vector
       join unnest($1::bigint[], $2::bytea[]) wanted (id, digest) on observation_id = id
      where model = $3 and observation_vector.digest = wanted.digest`,
    [[...digests.keys()], [...digests.values()], model],
  );
  return new Set(rows.map(({ observation_id: id }) => id));
}

/** Returns undefined before the first page of a model. */
export async function readVectorFeed(db: Queryable, model: string): Promise<ChangePosition | undefined> {
  const { rows } = await db.query<{ tx: bigint | null; seq: bigint | null; epoch: string | null }>(
    'select tx, seq, epoch from vector_feed where model = $1',
    [model],
  );
  const [row] = rows;
  if (!row || row.tx === null || row.seq === null) return undefined;
  return create(ChangePositionSchema, { tx: row.tx, seq: row.seq, epoch: row.epoch ?? '' });
}

/** Writes nothing and returns false if a higher fence token holds the lead. */
export async function writeVectors(pool: Pool, batch: VectorBatch, fence: bigint): Promise<boolean> {
  return await inTransaction(pool, async (client) => {
    const { model, to, vectors, gone } = batch;
    const { rows } = await client.query<{ version: bigint }>(
      `update vector_feed set model = $1, tx = $2, seq = $3, epoch = $4, fence = $5, version = version + 1
        where fence <= $5 returning version`,
      [model, to?.tx ?? null, to?.seq ?? null, to?.epoch ?? null, fence],
    );
    const [written] = rows;
    if (!written) return false;
    if (gone.length > 0) await client.query('delete from observation_vector where observation_id = any($1)', [gone]);
    if (vectors.length > 0)
      await client.query(
        `insert into observation_vector (observation_id, model, version, digest, vector)
         select id, $1, $2, digest, vector from unnest($3::bigint[], $4::bytea[], $5::bytea[]) made (id, digest, vector)
         on conflict (observation_id)
         do update set model = excluded.model, version = excluded.version, digest = excluded.digest,
                       vector = excluded.vector`,
        [
          model,
          written.version,
          vectors.map(({ observationId }) => observationId),
          vectors.map(({ digest }) => digest),
          vectors.map(({ vector }) => Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength)),
        ],
      );
    return true;
  });
}

export function asInt8(bytes: Buffer): Int8Array {
  return new Int8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
