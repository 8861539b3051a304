import { metrics } from '@opentelemetry/api';
import pg from 'pg';
import { type PeriodicTask, startPeriodicTask } from '../service/periodic-task.ts';
import type { Logger } from '../telemetry/log.ts';
import { KEEPALIVE, type Pool, sessionOptions } from './pool.ts';
import { resolvesWithin } from './resolves-within.ts';

/** `saturated`: the database answers, but calls wait for a connection. */
export type DatabaseState = 'answering' | 'saturated' | 'read-only' | 'unreachable';

export interface DatabaseWatch extends AsyncDisposable {
  state(): DatabaseState;
}

type Answer = 'writes' | 'reads alone' | 'none';

const STATES: readonly DatabaseState[] = ['answering', 'saturated', 'read-only', 'unreachable'];
const ASK_EVERY_MS = 1_000;
const REACHABLE_WITHIN_MS = 1_500;
/** After this silence a second connection checks if the first is lost or the server is slow. */
const SILENT_MS = 3_000;
const CONNECT_TIMEOUT_MS = 2_000;
/** SQLSTATE classes: operator intervention and connection exception. */
const ENDED_BY_SERVER = /^(57P|08)/;

/**
 * Resolves after the first answer, or two seconds. If a new connection is answered while the old
 * one is silent, the network has lost the old ones: silent connections of the pool are destroyed.
 */
export async function watchDatabase(pool: Pool, logger: Logger): Promise<DatabaseWatch> {
  const { promise: asked, resolve } = Promise.withResolvers<void>();
  const watch = new Watch(pool, logger, resolve);
  await asked;
  return watch;
}

class Watch implements DatabaseWatch {
  readonly #pool: Pool;
  readonly #logger: Logger;
  readonly #asking: PeriodicTask;
  readonly #unobserve: () => void;
  #closed = false;
  #client: pg.Client | undefined;
  #connectedAt = Number.NEGATIVE_INFINITY;
  #askedAt: number | undefined;
  #answer: Answer = 'none';
  #doubtedSince: number | undefined;
  #isDismissed = false;

  constructor(pool: Pool, logger: Logger, onAsked: () => void) {
    this.#pool = pool;
    this.#logger = logger;
    const run = () => this.#pass().finally(onAsked);
    this.#asking = startPeriodicTask({
      name: 'watching the database',
      everyMs: ASK_EVERY_MS,
      immediately: true,
      run,
      logger,
    });
    this.#unobserve = observe(pool.options.application_name ?? '', () => this.state());
  }

  state(): DatabaseState {
    const waitedMs = this.#askedAt === undefined ? 0 : performance.now() - this.#askedAt;
    if (this.#answer === 'none' || waitedMs > REACHABLE_WITHIN_MS) return 'unreachable';
    if (this.#answer === 'reads alone' || this.#sawRefusal()) return 'read-only';
    return this.#pool.waitingCount > 0 ? 'saturated' : 'answering';
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    this.#unobserve();
    this.#drop();
    await this.#asking[Symbol.asyncDispose]();
  }

  async #pass(): Promise<void> {
    const before = this.#answer;
    this.#askedAt = performance.now();
    const answer = await this.#ask(this.#askedAt);
    this.#answer = answer;
    this.#askedAt = undefined;
    if (this.#closed) return;
    if (answer !== before) this.#logger.info({ answer, before }, 'the database answers differently');
    if (answer !== 'none') await this.#discardLost();
    // A failover may change the server: connections are replaced until one accepts writes.
    if (answer === 'reads alone' || (answer === 'writes' && before === 'reads alone')) this.#pool.connections.renew();
    if (answer === 'reads alone' || this.#sawRefusal()) this.#drop();
  }

  async #ask(askedAt: number): Promise<Answer> {
    const first = this.#client;
    let answer: Answer = 'none';
    if (first) {
      const asked = question(first).then((said) => {
        answer = said;
      });
      if (await resolvesWithin(SILENT_MS, asked)) {
        if (this.#connectedAt < (this.#doubtedSince ?? 0)) this.#doubtedSince = undefined;
        return answer;
      }
      if (!this.#isDismissed) this.#doubtedSince ??= askedAt;
    }
    const second = await connect(this.#pool);
    // A slow server answers the first question first.
    if (answer !== 'none') {
      second?.client.connection.stream.destroy();
      this.#doubtedSince = undefined;
      return answer;
    }
    if (second) this.#use(second.client);
    return second?.answer ?? 'none';
  }

  #use(client: pg.Client): void {
    this.#drop();
    if (this.#closed) {
      client.connection.stream.destroy();
      return;
    }
    this.#client = client;
    this.#connectedAt = performance.now();
    this.#isDismissed = false;
    client.connection.on('errorMessage', ({ code = '' }: { readonly code?: string }) => {
      if (ENDED_BY_SERVER.test(code)) this.#isDismissed ||= this.#client === client;
    });
    client.once('end', () => {
      if (this.#client !== client) return;
      this.#client = undefined;
      if (!this.#isDismissed) this.#doubtedSince ??= performance.now();
      this.#asking.wake();
    });
  }

  #drop(): void {
    const client = this.#client;
    this.#client = undefined;
    client?.connection.stream.destroy();
  }

  #sawRefusal(): boolean {
    return this.#pool.connections.readOnlyAt > this.#connectedAt;
  }

  async #discardLost(): Promise<void> {
    const since = this.#doubtedSince;
    if (since === undefined || performance.now() - since < SILENT_MS) return;
    this.#doubtedSince = undefined;
    const processes = this.#pool.connections.discardSilent(since, 'all');
    if (processes.length === 0) return;
    await resolvesWithin(CONNECT_TIMEOUT_MS, this.#end(processes));
    this.#logger.warn({ connections: processes.length }, 'connections to the database fell silent; replaced');
  }

  /** They hold locks until the server's timeouts. Through a pooler the PIDs match nothing. */
  async #end(processes: readonly number[]): Promise<void> {
    await this.#client?.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
        where pid = any($1) and usename = current_user and datname = current_database() and application_name = $2`,
      [processes, this.#pool.options.application_name],
    );
  }
}

async function connect(pool: Pool): Promise<{ readonly client: pg.Client; readonly answer: Answer } | undefined> {
  const { connectionString, ssl, application_name } = pool.options;
  const client = new pg.Client({
    ...(connectionString !== undefined && { connectionString }),
    ...(ssl !== undefined && { ssl }),
    application_name: `${application_name} watch`,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    options: sessionOptions(),
    ...KEEPALIVE,
  });
  client.on('error', () => undefined);
  let answer: Answer = 'none';
  const connected = client.connect().then(async () => {
    answer = await question(client);
  });
  if (await resolvesWithin(CONNECT_TIMEOUT_MS, connected)) return { client, answer };
  client.connection.stream.destroy();
  return undefined;
}

async function question(client: pg.Client): Promise<Answer> {
  const { rows } = await client.query<{ refused: boolean }>(
    `select current_setting('transaction_read_only')::boolean as refused`,
  );
  return rows[0]?.refused ? 'reads alone' : 'writes';
}

function observe(database: string, state: () => DatabaseState): () => void {
  const gauge = metrics.getMeter('ces').createObservableGauge('ces.database.state', {
    description: '1 for what the database is to the process now, 0 for what it is not',
  });
  const callback: Parameters<typeof gauge.addCallback>[0] = (result) => {
    const now = state();
    for (const one of STATES)
      result.observe(one === now ? 1 : 0, { 'db.client.connection.pool.name': database, state: one });
  };
  gauge.addCallback(callback);
  return () => gauge.removeCallback(callback);
}
