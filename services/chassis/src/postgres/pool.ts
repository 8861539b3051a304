import { metrics } from '@opentelemetry/api';
import pg from 'pg';
import type { Logger } from '../telemetry/log.ts';
import { handleStatements } from './statements.ts';

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
  /** Statements go out without waiting for the answers to those before them; they still run one after the other. */
  readonly pipeline?: boolean;
  /** Every statement with parameters is planned once a connection, not once a call. */
  readonly prepare?: boolean;
  readonly logger: Logger;
}

/** A pool whose broken idle connections are logged instead of ending the process, with every server-side time-out set. */
export function createPool(options: PoolOptions): Pool {
  const pool = new pg.Pool({
    connectionString: options.connectionString,
    max: options.max,
    application_name: options.applicationName,
    keepAlive: true,
    pipeline: options.pipeline ?? false,
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
  const { applicationName: database, prepare = false, pipeline = false } = options;
  handleStatements(pool, { database, prepare, pipeline });
  observePool(pool, database);
  return pool;
}

/** Runs `work` in one transaction. Any error but the database's own refusal destroys the connection, whose state is then unknown. */
export async function inTransaction<T>(pool: Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  return await inTransactionAfter(pool, async () => undefined, work);
}

/**
 * The same, with what `read` returns. `read` goes out together with the beginning, which saves a pool that pipelines a
 * wait; it must not write, since its statements run although the beginning may fail. The only place that opens a transaction.
 */
export async function inTransactionAfter<R, T>(
  pool: Pool,
  read: (client: pg.PoolClient) => Promise<R>,
  work: (client: pg.PoolClient, read: R) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  try {
    const [, before] = await Promise.all([client.query('begin'), read(client)]);
    const result = await work(client, before);
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

/** Gauges of a pool's connections and of who waits for one. */
function observePool(pool: pg.Pool, database: string): void {
  const meter = metrics.getMeter('ces');
  const name = { 'db.client.connection.pool.name': database };
  meter.createObservableGauge('db.client.connection.count', { unit: '{connection}' }).addCallback((result) => {
    result.observe(pool.idleCount, { ...name, 'db.client.connection.state': 'idle' });
    result.observe(pool.totalCount - pool.idleCount, { ...name, 'db.client.connection.state': 'used' });
  });
  meter
    .createObservableGauge('db.client.connection.pending_requests', { unit: '{request}' })
    .addCallback((result) => result.observe(pool.waitingCount, name));
}

/** The constraint a statement violated; undefined for any other error. */
export function violatedConstraint(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.constraint : undefined;
}

function isDatabaseRefusal(error: unknown): boolean {
  return error instanceof pg.DatabaseError || !(error instanceof Error && 'code' in error);
}
