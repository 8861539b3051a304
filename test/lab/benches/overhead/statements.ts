import { table } from '@ces/cli/output/table';
import pg from 'pg';

/** Settings of the server that counts statements; planning is counted where a statement is planned anew. */
export const COUNTING = {
  shared_preload_libraries: 'pg_stat_statements',
  'pg_stat_statements.track_planning': 'on',
} as const;
/** Of the start of a statement, enough to know it by. */
const SHOWN_CHARACTERS = 72;
/** What runs less often than once in so many requests belongs to none of them. */
const LEAST_PER_REQUEST = 0.05;

/** One statement by what it costs a request; times are of the clock, so that waits for a processor or a lock are in them. */
export interface StatementCost {
  readonly database: string;
  readonly text: string;
  readonly calls: number;
  readonly planMs: number;
  readonly runMs: number;
  /** Bytes that go to the log. */
  readonly walBytes: number;
}

/** Counts the statements of what `requests` runs, which resolves with how many requests it made; the dearest first. */
export async function countStatements(
  superuserUrl: string,
  requests: () => Promise<number>,
): Promise<readonly StatementCost[]> {
  const client = new pg.Client({ connectionString: superuserUrl });
  await client.connect();
  try {
    await client.query('create extension if not exists pg_stat_statements');
    await client.query('select pg_stat_statements_reset()');
    const made = await requests();
    const { rows } = await client.query<StatementCost>(STATEMENTS, [made, LEAST_PER_REQUEST]);
    return rows;
  } finally {
    await client.end();
  }
}

const STATEMENTS = `
  select d.datname as database, regexp_replace(trim(s.query), '\\s+', ' ', 'g') as text, s.calls::float8 / $1 as calls,
         s.total_plan_time / $1 as "planMs", s.total_exec_time / $1 as "runMs", s.wal_bytes::float8 / $1 as "walBytes"
  from pg_stat_statements s
  join pg_database d on d.oid = s.dbid
  where d.datname <> 'postgres' and s.calls >= $1::float8 * $2
  order by s.total_plan_time + s.total_exec_time desc`;

/** A statement a row; `per`: what `costs` are of. */
export function statementTable(what: string, costs: readonly StatementCost[], per = 'request'): string {
  const rows = costs.map(({ database, text, calls, planMs, runMs, walBytes }) => [
    database,
    calls.toFixed(2),
    planMs.toFixed(3),
    runMs.toFixed(3),
    Math.round(walBytes),
    text.slice(0, SHOWN_CHARACTERS),
  ]);
  const sum = costs.reduce((total, { planMs, runMs }) => total + planMs + runMs, 0);
  const calls = costs.reduce((total, one) => total + one.calls, 0);
  return `${what}: ${calls.toFixed(1)} statements, ${sum.toFixed(2)} ms a ${per}\n${table(
    ['database', `a ${per}`, 'planning ms', 'running ms', 'log bytes', 'statement'],
    rows,
  )}`;
}
