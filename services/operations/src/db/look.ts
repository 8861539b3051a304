import type { Queryable } from '@ces/chassis/postgres/pool';
import type { Line } from './turns.ts';

/** What waits to be done. */
export interface Waiting {
  /** A job's time has come: it is to be put into its line. */
  readonly isDue: boolean;
  /** The deadline of a job has passed. */
  readonly isLate: boolean;
  /** Lines in which a job stands. */
  readonly lines: ReadonlySet<Line>;
}

const LINES: readonly Line[] = ['run', 'quarantine', 'sources', 'step'];

/**
 * Looks at jobs alone, by one probe of an index each. Statements that change operations too open every partition of these, which
 * costs more the longer the history is: they are left out where they would find nothing.
 */
export async function lookForJobs(db: Queryable): Promise<Waiting> {
  const { rows } = await db.query<{ isDue: boolean | null; isLate: boolean | null; lines: Line[] }>(
    // The order makes it a probe of the index in every plan, also in one of when the table was empty.
    `select (select due_at <= clock_timestamp() from job where not ready order by due_at limit 1) as "isDue",
       (select deadline_at <= clock_timestamp() from job where deadline_at is not null order by deadline_at limit 1) as "isLate",
       array(select first.line from unnest($1::text[]) as stands (line), lateral (
         select job.line from job where ready and job.line = stands.line order by account_id, due_at limit 1
       ) as first) as lines`,
    [LINES],
  );
  const [found] = rows;
  return { isDue: found?.isDue ?? false, isLate: found?.isLate ?? false, lines: new Set(found?.lines) };
}
