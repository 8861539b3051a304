import pg from 'pg';
import type { Logger } from './log.ts';
import { observePool } from './telemetry/sql.ts';

/** What a SQL function needs: a pool or a client inside a transaction. */
export type Queryable = Pick<pg.ClientBase, 'query'>;
export type Pool = pg.Pool;

pg.types.setTypeParser(pg.types.builtins.INT8, BigInt);
pg.types.setTypeParser(pg.types.builtins.NUMERIC, Number);

export interface PoolOptions {
  readonly connectionString: string;
  /** Connections at most. */
  readonly max: number;
  readonly applicationName: string;
  /** Server-side bound on one statement, in milliseconds. */
  readonly statementTimeoutMs?: number;
  /** How long the server lets a transaction wait for its client before it ends the connection, in milliseconds. */
  readonly idleInTransactionTimeoutMs?: number;
  /** Server settings of every connection beside the time-outs, for example `{ jit: 'off' }`. */
  readonly settings?: Readonly<Record<string, string>>;
  readonly logger: Logger;
}

/** A pool whose broken idle connections are logged instead of ending the process, with every server-side time-out set. */
export function createPool(options: PoolOptions): Pool {
  const pool = new pg.Pool({
    connectionString: options.connectionString,
    max: options.max,
    application_name: options.applicationName,
    keepAlive: true,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 60_000,
    statement_timeout: options.statementTimeoutMs ?? 30_000,
    lock_timeout: 10_000,
    idle_in_transaction_session_timeout: options.idleInTransactionTimeoutMs ?? 30_000,
    options: Object.entries(options.settings ?? {})
      .map(([name, value]) => `-c ${name}=${value}`)
      .join(' '),
  });
  pool.on('error', (error) => options.logger.warn({ err: error }, 'idle database connection lost'));
  pool.on('connect', (client) =>
    client.on('error', (error) => options.logger.warn({ err: error }, 'database connection lost')),
  );
  observePool(pool, options.applicationName);
  return pool;
}

/** Runs `work` in one transaction; the only place that opens one. Any error destroys the connection (reliability.md 4, pg). */
export async function inTransaction<T>(pool: Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    const result = await work(client);
    await client.query('commit');
    client.release();
    return result;
  } catch (error) {
    await client.query('rollback').then(
      () => client.release(isDatabaseRefusal(error) ? undefined : (error as Error)),
      () => client.release(error as Error),
    );
    throw error;
  }
}

/** The constraint a statement violated; undefined for any other error. */
export function violatedConstraint(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.constraint : undefined;
}

function isDatabaseRefusal(error: unknown): boolean {
  return error instanceof pg.DatabaseError || !(error instanceof Error && 'code' in error);
}
