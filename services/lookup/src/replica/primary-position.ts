import type { Queryable } from '@ces/chassis/postgres/pool';

/** The primary's WAL position, with what identifies its replicas. */
export interface Position {
  readonly system: string;
  /** It grows when a standby is promoted. Positions of different timelines do not compare. */
  readonly timeline: number;
  readonly lsn: string;
  readonly at: string;
}

const ASK = `
  select system_identifier::text as system, current_timeline() as timeline, pg_current_wal_flush_lsn()::text as lsn,
         clock_timestamp()::text as at
    from pg_control_system()`;

/**
 * The query is sent after the call, so the position covers everything that was committed before.
 * Calls during a query share the next one.
 */
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
