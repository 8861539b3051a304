import type { Queryable } from '@ces/chassis/postgres/pool';

/** WAL position, with what identifies the primary's replicas. */
export interface Position {
  readonly system: string;
  /** Grows with a promotion; different timelines do not compare. */
  readonly timeline: number;
  readonly lsn: string;
  readonly at: string;
}

const ASK = `
  select system_identifier::text as system, current_timeline() as timeline, pg_current_wal_flush_lsn()::text as lsn,
         clock_timestamp()::text as at
    from pg_control_system()`;

/** Covers everything committed before the call. Calls during a query share the next one. */
export function createPositions(primary: Queryable): () => Promise<Position> {
  let underWay: Promise<unknown> = Promise.resolve();
  let next: Promise<Position> | undefined;
  const ask = async () => {
    // Later calls may need a newer position than this query returns.
    next = undefined;
    const answer = primary.query<Position>(ASK);
    underWay = answer.catch(() => undefined);
    const { rows } = await answer;
    return rows[0] as Position;
  };
  return () => {
    next ??= underWay.then(ask);
    return next;
  };
}
