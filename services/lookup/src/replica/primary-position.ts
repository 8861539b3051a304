import type { Queryable } from '@ces/chassis/postgres/pool';

/** How far the primary had written its log when it was asked, and what a replica is held against beside that. */
export interface Position {
  readonly system: string;
  /** Grows when a standby is promoted: positions of another timeline mean something else. */
  readonly timeline: number;
  readonly lsn: string;
  /** The primary's clock. */
  readonly at: string;
}

const ASK = `
  select system_identifier::text as system, current_timeline() as timeline, pg_current_wal_flush_lsn()::text as lsn,
         clock_timestamp()::text as at
    from pg_control_system()`;

/**
 * Where the primary stands: an answer that left after the call, so that it is behind nothing that was committed before. Calls
 * that come while one is on its way share the next.
 */
export function createPositions(primary: Queryable): () => Promise<Position> {
  let underWay: Promise<unknown> = Promise.resolve();
  let next: Promise<Position> | undefined;
  const ask = async () => {
    // Those who come from here on may have to see more than this will answer.
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
