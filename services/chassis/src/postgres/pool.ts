import { metrics } from '@opentelemetry/api';
import pg from 'pg';
import type { Logger } from '../telemetry/log.ts';
import { connectionTo, type PostgresTls } from './connection.ts';
import { Connections } from './connections.ts';
import { handleStatements } from './statements.ts';

export type Queryable = Pick<pg.ClientBase, 'query'>;
export type Pool = pg.Pool & { readonly connections: Connections };

pg.types.setTypeParser(pg.types.builtins.INT8, BigInt);
pg.types.setTypeParser(pg.types.builtins.NUMERIC, Number);

export interface PoolOptions {
  readonly connectionString: string;
  readonly tls?: PostgresTls;
  readonly max: number;
  readonly applicationName: string;
  readonly statementTimeoutMs?: number;
  readonly idleInTransactionTimeoutMs?: number;
  readonly settings?: Readonly<Record<string, string>>;
  /** Statements do not wait for earlier answers; the server still runs them in order. */
  readonly pipeline?: boolean;
  /** One plan per connection for statements with parameters. */
  readonly prepare?: boolean;
  readonly logger: Logger;
}

const CONNECT_TIMEOUT_MS = 5_000;
const STATEMENT_TIMEOUT_MS = 30_000;
/** The kernel probes after 4 s of silence and gives up 10 s later. */
export const KEEPALIVE = { keepAlive: true, keepAliveInitialDelayMillis: 4_000 };

/** The server ends a session within 15 s if our machine disappears. */
const CLIENT_LOST = {
  tcp_keepalives_idle: '5',
  tcp_keepalives_interval: '2',
  tcp_keepalives_count: '4',
  tcp_user_timeout: '15000',
  client_connection_check_interval: '5000',
};

/** In the form of libpq's `options`, including the bounds for lost clients. */
export function sessionOptions(settings: Readonly<Record<string, string>> = {}): string {
  return Object.entries({ ...CLIENT_LOST, ...settings })
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ');
}

/** Logs broken idle connections instead of crashing, and drops silent ones (promise R29). */
export function createPool(options: PoolOptions): Pool {
  const statementTimeoutMs = options.statementTimeoutMs ?? STATEMENT_TIMEOUT_MS;
  const pool = new pg.Pool({
    ...connectionTo(options.connectionString, options.tls, options.logger),
    max: options.max,
    application_name: options.applicationName,
    ...KEEPALIVE,
    pipeline: options.pipeline ?? false,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    idleTimeoutMillis: 60_000,
    statement_timeout: statementTimeoutMs,
    lock_timeout: 10_000,
    idle_in_transaction_session_timeout: options.idleInTransactionTimeoutMs ?? 30_000,
    options: sessionOptions(options.settings),
  });
  pool.on('error', (error) => options.logger.warn({ err: error }, 'idle database connection lost'));
  pool.on('connect', (client) =>
    client.on('error', (error) => options.logger.warn({ err: error }, 'database connection lost')),
  );
  const connections = new Connections(pool, statementTimeoutMs, options.logger);
  takeUsableAlone(pool, connections);
  const { applicationName: database, prepare = false, pipeline = false } = options;
  handleStatements(pool, { database, prepare, pipeline });
  observePool(pool, database);
  return Object.assign(pool, { connections });
}

type Taken = (error: Error | undefined, client: pg.PoolClient | undefined, release: pg.PoolClient['release']) => void;

function takeUsableAlone(pool: pg.Pool, connections: Connections): void {
  const take = pool.connect.bind(pool) as () => Promise<pg.PoolClient>;
  const takeUsable = async () => {
    for (;;) {
      const client = await take();
      if (await connections.isUsable(client)) return client;
      client.release(true);
    }
  };
  const connect = (onTaken?: Taken) => {
    if (!onTaken) return takeUsable();
    return void takeUsable().then(
      (client) => onTaken(undefined, client, client.release),
      (error: Error) => onTaken(error, undefined, () => undefined),
    );
  };
  pool.connect = connect as typeof pool.connect;
  const end = pool.end.bind(pool) as () => Promise<void>;
  pool.end = (() => {
    connections.stop();
    return end();
  }) as typeof pool.end;
}

/** An error other than the database's refusal destroys the connection: its state is unknown. */
export async function inTransaction<T>(pool: Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  return await inTransactionAfter(pool, async () => undefined, work);
}

/**
 * `read` is sent along with `begin`, which saves a round trip; it must not write, since it also
 * runs if `begin` fails. `work` may call `commit` after its last statement, which saves another
 * one: the server commits nothing if a statement fails.
 */
export async function inTransactionAfter<R, T>(
  pool: Pool,
  read: (client: pg.PoolClient) => Promise<R>,
  work: (client: pg.PoolClient, read: R, commit: () => void) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  let committing: Promise<unknown> | undefined;
  const commit = () => {
    committing ??= sendCommit(client);
    // An error of an earlier statement is thrown first.
    committing.catch(() => undefined);
  };
  try {
    const [, before] = await Promise.all([client.query('begin'), read(client)]);
    const result = await work(client, before, commit);
    commit();
    await committing;
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

/** `commit` in a failed transaction rolls back without an error. */
async function sendCommit(client: pg.PoolClient): Promise<void> {
  const { command } = await client.query('commit');
  if (command !== 'COMMIT') throw new Error('a transaction in which a statement had failed was to be committed');
}

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

export function violatedConstraint(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.constraint : undefined;
}

function isDatabaseRefusal(error: unknown): boolean {
  return error instanceof pg.DatabaseError || !(error instanceof Error && 'code' in error);
}
