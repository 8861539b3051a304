import type { Queryable } from '@ces/chassis/postgres/pool';

export interface Progress {
  readonly newest: bigint;
  /** Operations from here to `newest` were compared in the current round. */
  readonly backTo: bigint;
  /** A stretch below `backTo` that is compared in part; absent between two stretches. */
  readonly stretch?: Stretch | undefined;
}

interface Stretch {
  readonly from: bigint;
  readonly comparedTo: bigint;
}

export async function readProgress(db: Queryable): Promise<Progress | undefined> {
  const { rows } = await db.query<Record<'newest' | 'backTo' | 'from' | 'comparedTo', bigint | null>>(
    'select newest, back_to as "backTo", stretch_from as "from", compared_to as "comparedTo" from reconciliation',
  );
  const { newest = null, backTo = null, from = null, comparedTo = null } = rows[0] ?? {};
  if (newest === null || backTo === null) return undefined;
  return { newest, backTo, stretch: from === null || comparedTo === null ? undefined : { from, comparedTo } };
}

export async function saveProgress(db: Queryable, { newest, backTo, stretch }: Progress): Promise<void> {
  await db.query(
    `update reconciliation
     set newest = $1, back_to = $2, stretch_from = $3, compared_to = $4, passed_at = clock_timestamp()`,
    [newest, backTo, stretch?.from, stretch?.comparedTo],
  );
}

export async function findNewest(db: Queryable): Promise<bigint> {
  const { rows } = await db.query<{ id: bigint }>('select id from operation order by id desc limit 1');
  return rows[0]?.id ?? 0n;
}

export async function findStretchStart(db: Queryable, before: bigint, count: number): Promise<bigint> {
  const { rows } = await db.query<{ id: bigint }>(
    'select id from operation where id < $1 order by id desc offset $2 limit 1',
    [before, count - 1],
  );
  return rows[0]?.id ?? 0n;
}

export interface OpenComparison {
  readonly operationId: bigint;
  /** Differences of the last comparison; empty while the operation has not ended. */
  readonly differences: readonly string[];
}

export async function listOpen(db: Queryable, count: number): Promise<OpenComparison[]> {
  const { rows } = await db.query<OpenComparison>(
    'select operation_id as "operationId", differences from reconciliation_open order by compared_at limit $1',
    [count],
  );
  return rows;
}

export async function saveOpenComparison(db: Queryable, { operationId, differences }: OpenComparison): Promise<void> {
  await db.query(
    `insert into reconciliation_open (operation_id, differences) values ($1, $2)
     on conflict (operation_id) do update set differences = excluded.differences, compared_at = clock_timestamp()`,
    [operationId, differences],
  );
}

export async function closeComparison(db: Queryable, operationId: bigint): Promise<void> {
  await db.query('delete from reconciliation_open where operation_id = $1', [operationId]);
}

export interface ReconciliationState {
  readonly differing: number;
  /** Time since the last whole pass ended; undefined before the first. */
  readonly ageSeconds: number | undefined;
}

export async function readReconciliationState(db: Queryable): Promise<ReconciliationState> {
  const { rows } = await db.query<{ differing: number; age: number | null }>(
    `select (select count(*)::int from reconciliation_open where differences <> '{}') as differing,
       extract(epoch from clock_timestamp() - passed_at)::float8 as age
     from reconciliation`,
  );
  return { differing: rows[0]?.differing ?? 0, ageSeconds: rows[0]?.age ?? undefined };
}
