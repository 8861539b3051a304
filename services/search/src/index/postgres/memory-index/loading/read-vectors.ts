import type { Queryable } from '@ces/chassis/postgres/pool';
import { asInt8 } from '../../../../embedding/vector-table.ts';
import type { MemoryIndex } from '../memory-index.ts';
import { IndexVectors } from '../vectors/index-vectors.ts';
import { readIndexVersion } from './index-version.ts';

const PAGE = 1_000;
const MOST = 2n ** 63n - 1n;

interface VectorRow {
  readonly version: bigint;
  readonly observation_id: bigint;
  readonly vector: Buffer;
}

export async function emptyVectors(db: Queryable, model: string): Promise<IndexVectors> {
  const { rows } = await db.query<{ dimensions: number }>(
    'select octet_length(vector) as dimensions from observation_vector where model = $1 limit 1',
    [model],
  );
  return new IndexVectors(model, rows[0]?.dimensions ?? 0);
}

/** Vectors of observations that are not loaded yet come with the observations. */
export async function readNewVectors(
  db: Queryable,
  { vectors, observations }: Pick<MemoryIndex, 'observations' | 'vectors'>,
): Promise<void> {
  if (!vectors) return;
  const { vectors: newest } = await readIndexVersion(db);
  let after = { version: vectors.version, observation_id: MOST };
  for (let isMore = newest > vectors.version; isMore; ) {
    const { rows } = await db.query<VectorRow>({
      name: 'read-new-vectors',
      text: `select version, observation_id, vector from observation_vector
              where (version, observation_id) > ($1, $2) and version <= $3 and model = $4
              order by version, observation_id limit ${PAGE}`,
      values: [after.version, after.observation_id, newest, vectors.model],
    });
    for (const { observation_id: id, vector } of rows) {
      const number = observations.numberOf(Number(id));
      if (number !== undefined) vectors.set(number, asInt8(vector));
    }
    after = rows.at(-1) ?? after;
    isMore = rows.length === PAGE;
  }
  vectors.version = newest;
}
