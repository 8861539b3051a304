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
  const { rows } = await db.query<{ isDue: boolean; isLate: boolean; lines: Line[] }>(
    `select exists (select from job where not ready and due_at <= clock_timestamp()) as "isDue",
       exists (select from job where deadline_at <= clock_timestamp()) as "isLate",
       array(select line from unnest($1::text[]) as stands (line)
             where exists (select from job where ready and job.line = stands.line)) as lines`,
    [LINES],
  );
  const [{ isDue, isLate, lines } = { isDue: false, isLate: false, lines: [] }] = rows;
  return { isDue, isLate, lines: new Set(lines) };
}
