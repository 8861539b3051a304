import { metrics } from '@opentelemetry/api';
import pg from 'pg';
import type { Logger } from '../telemetry/log.ts';
import { connectionTo, type PostgresTls } from './connection.ts';
import { Connections } from './connections.ts';
import { handleStatements } from './statements.ts';

/** What a SQL function needs: a pool or a client inside a transaction. */
export type Queryable = Pick<pg.ClientBase, 'query'>;
/** Connections that are known to live when they are handed out. */
export type Pool = pg.Pool & { readonly connections: Connections };

pg.types.setTypeParser(pg.types.builtins.INT8, BigInt);
pg.types.setTypeParser(pg.types.builtins.NUMERIC, Number);

export interface PoolOptions {
  readonly connectionString: string;
  /** Where its certificates are; absent or without files: as the address says. */
  readonly tls?: PostgresTls;
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

const CONNECT_TIMEOUT_MS = 5_000;
const STATEMENT_TIMEOUT_MS = 30_000;
/** Silence after which the kernel asks whether the other side is there, in milliseconds; Node has it give up ten seconds later. */
export const KEEPALIVE = { keepAlive: true, keepAliveInitialDelayMillis: 4_000 };

/**
 * What the server does about us when we are lost with our machine: what such a session holds is let go within 15 s, whether it
 * waits for us, sends to us or works for us.
 */
const CLIENT_LOST = {
  tcp_keepalives_idle: '5',
  tcp_keepalives_interval: '2',
  tcp_keepalives_count: '4',
  tcp_user_timeout: '15000',
  client_connection_check_interval: '5000',
};

/** Settings of a session as `options` of its connection; whatever else they say, the server ends it when its client is lost. */
export function sessionOptions(settings: Readonly<Record<string, string>> = {}): string {
  return Object.entries({ ...CLIENT_LOST, ...settings })
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ');
}

/**
 * A pool whose broken idle connections are logged instead of ending the process, with every server-side time-out set, and
 * which gives up connections that have fallen silent (promise R29).
 */
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

/** Whoever takes a connection, and the pool itself for a single statement, gets one that answers. */
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

/** Runs `work` in one transaction. Any error but the database's own refusal destroys the connection, whose state is then unknown. */
export async function inTransaction<T>(pool: Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  return await inTransactionAfter(pool, async () => undefined, work);
}

/**
 * The same, with what `read` returns. `read` goes out together with the beginning, which saves a pool that pipelines a
 * wait; it must not write, since its statements run although the beginning may fail. The only place that opens a transaction.
 * `work` may call `commit` once all it writes is under way, which saves another wait: it goes out behind that, and commits nothing
 * where one of those statements fails.
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
    // What fails before it is thrown first.
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

/** Throws where the server rolls back instead, which is no error to it. */
async function sendCommit(client: pg.PoolClient): Promise<void> {
  const { command } = await client.query('commit');
  if (command !== 'COMMIT') throw new Error('a transaction in which a statement had failed was to be committed');
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
