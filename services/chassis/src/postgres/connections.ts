import { setImmediate as untilRead } from 'node:timers/promises';
import type pg from 'pg';
import type { Logger } from '../telemetry/log.ts';
import { answersWithin } from './answers-within.ts';
import { forgetLongStatements, longestStatementMs } from './long-statements.ts';

/**
 * A connection from which nothing was heard for so long is asked whether it lives before it is used, in milliseconds: longer than
 * the second between two looks of a task, which would ask each time.
 */
const TRUSTED_MS = 2_500;
/** In which time a connection that nobody uses answers, in milliseconds. */
const ANSWERS_WITHIN_MS = 2_000;
/** Greatest age of a connection, in milliseconds, up to a fifth less at random: what it leads to is looked up anew. */
const GREATEST_AGE_MS = 600_000;
/** What an answer may take on its way beside its statement, in milliseconds. */
const ON_ITS_WAY_MS = 3_000;
const LOOK_EVERY_MS = 1_000;
/** read_only_sql_transaction: the server takes no writes (any longer). */
const READ_ONLY = '25006';

/** The library knows the server's process of a connection, its types do not. */
type Numbered = pg.ClientBase & { readonly processID?: number | null };

interface Connection {
  /** Past what measures statements and names them. */
  readonly ask: (text: string) => Promise<unknown>;
  readonly openedAt: number;
  readonly retireAt: number;
  heardAt: number;
  /** Since when it is in use; undefined: idle. */
  takenAt: number | undefined;
}

/**
 * What is known of a pool's connections without the help of the kernel, which waits a quarter of an hour for a peer that is
 * gone without a word: when each was last heard. What is found dead is destroyed, never ended in peace, which would wait.
 */
export class Connections {
  readonly #known = new Map<pg.ClientBase, Connection>();
  readonly #statementTimeoutMs: number;
  readonly #logger: Logger;
  readonly #looking: NodeJS.Timeout;
  #renewedAt = Number.NEGATIVE_INFINITY;
  #readOnlyAt = Number.NEGATIVE_INFINITY;

  /** `statementTimeoutMs` is the server's own bound on a statement. */
  constructor(pool: pg.Pool, statementTimeoutMs: number, logger: Logger) {
    this.#statementTimeoutMs = statementTimeoutMs;
    this.#logger = logger;
    pool.on('connect', (client) => this.#add(client));
    pool.on('acquire', (client) => this.#update(client, performance.now()));
    pool.on('release', (_error, client) => {
      forgetLongStatements(client);
      this.#update(client, undefined);
    });
    pool.on('remove', (client) => this.#known.delete(client));
    this.#looking = setInterval(() => void this.#discardWedged(), LOOK_EVERY_MS).unref();
  }

  /** When the server last refused a write because it takes none, in milliseconds of `performance.now()`. */
  get readOnlyAt(): number {
    return this.#readOnlyAt;
  }

  /** Whether a connection that was just taken may be used. It is given back where it may not. */
  async isUsable(client: pg.ClientBase): Promise<boolean> {
    const connection = this.#known.get(client);
    const now = performance.now();
    if (!connection || connection.openedAt < this.#renewedAt || now > connection.retireAt) return false;
    if (now - connection.heardAt < TRUSTED_MS) return true;
    if (await answersWithin(ANSWERS_WITHIN_MS, connection.ask('select 1'))) return true;
    destroy(client);
    this.discardSilent(now, 'idle');
    return false;
  }

  /**
   * Destroys the connections from which nothing was heard since `since`, those alone that are idle or all. Returns their
   * processes in the server, which do not know it.
   */
  discardSilent(since: number, which: 'idle' | 'all'): readonly number[] {
    const discarded: number[] = [];
    for (const [client, { heardAt, takenAt }] of this.#known) {
      const trusted = which === 'idle' && performance.now() - heardAt < TRUSTED_MS;
      if (heardAt >= since || trusted || (which === 'idle' && takenAt !== undefined)) continue;
      destroy(client);
      discarded.push((client as Numbered).processID ?? 0);
    }
    return discarded;
  }

  /** From now on connections that stand are used no more: their statements end, then they are replaced. */
  renew(): void {
    this.#renewedAt = performance.now();
    for (const [client, { takenAt }] of this.#known) if (takenAt === undefined) destroy(client);
  }

  stop(): void {
    clearInterval(this.#looking);
  }

  #add(client: pg.PoolClient): void {
    const now = performance.now();
    const connection: Connection = {
      ask: client.query.bind(client) as Connection['ask'],
      openedAt: now,
      retireAt: now + GREATEST_AGE_MS * (1 - Math.random() / 5),
      heardAt: now,
      takenAt: undefined,
    };
    this.#known.set(client, connection);
    const { connection: wire } = client as pg.PoolClient & pg.Client;
    wire.stream.on('data', () => {
      connection.heardAt = performance.now();
    });
    wire.on('errorMessage', ({ code }: { readonly code?: string }) => {
      if (code === READ_ONLY) this.#onReadOnly();
    });
  }

  #update(client: pg.ClientBase, takenAt: number | undefined): void {
    const connection = this.#known.get(client);
    if (connection) connection.takenAt = takenAt;
  }

  #onReadOnly(): void {
    this.#readOnlyAt = performance.now();
    this.renew();
  }

  /** A statement that its server would have ended by now, had it heard of it: the connection is dead, and so may be those beside it. */
  async #discardWedged(): Promise<void> {
    if (this.#wedged().length === 0) return;
    // A process that was held up reads first what has arrived meanwhile.
    await untilRead();
    for (const [client, since] of this.#wedged()) {
      destroy(client);
      const idle = this.discardSilent(since, 'idle').length;
      this.#logger.warn(
        { silentMs: Math.round(performance.now() - since), idle },
        'database connection silent; given up',
      );
    }
  }

  #wedged(): (readonly [pg.ClientBase, number])[] {
    const now = performance.now();
    return [...this.#known].flatMap(([client, { takenAt, heardAt }]) => {
      const since = Math.max(takenAt ?? now, heardAt);
      const bound = longestStatementMs(client) ?? this.#statementTimeoutMs;
      return now - since > bound + ON_ITS_WAY_MS ? [[client, since] as const] : [];
    });
  }
}

function destroy(client: pg.ClientBase): void {
  (client as pg.Client).connection.stream.destroy();
}
