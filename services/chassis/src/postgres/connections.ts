import { setImmediate as untilRead } from 'node:timers/promises';
import type pg from 'pg';
import type { Logger } from '../telemetry/log.ts';
import { clearStatementBound, longestStatementMs } from './long-statements.ts';
import { resolvesWithin } from './resolves-within.ts';

/** Silent for longer: tested before use. Exceeds the one-second interval of periodic tasks. */
const TRUSTED_MS = 2_500;
const ANSWERS_WITHIN_MS = 2_000;
/** Less up to a fifth at random; a new connection resolves the host again. */
const GREATEST_AGE_MS = 600_000;
const ON_ITS_WAY_MS = 3_000;
const LOOK_EVERY_MS = 1_000;
/** SQLSTATE read_only_sql_transaction. */
const READ_ONLY = '25006';

/** pg sets `processID`, but its types lack it. */
type Numbered = pg.ClientBase & { readonly processID?: number | null };

interface Connection {
  readonly ask: (text: string) => Promise<unknown>;
  readonly openedAt: number;
  readonly retireAt: number;
  heardAt: number;
  takenAt: number | undefined;
}

/**
 * When each connection last received data: the kernel may retransmit to a dead peer for 15 minutes.
 * Dead ones are destroyed, because a graceful end would wait for the peer.
 */
export class Connections {
  readonly #known = new Map<pg.ClientBase, Connection>();
  readonly #statementTimeoutMs: number;
  readonly #logger: Logger;
  readonly #looking: NodeJS.Timeout;
  #renewedAt = Number.NEGATIVE_INFINITY;
  #readOnlyAt = Number.NEGATIVE_INFINITY;

  constructor(pool: pg.Pool, statementTimeoutMs: number, logger: Logger) {
    this.#statementTimeoutMs = statementTimeoutMs;
    this.#logger = logger;
    pool.on('connect', (client) => this.#add(client));
    pool.on('acquire', (client) => this.#update(client, performance.now()));
    pool.on('release', (_error, client) => {
      clearStatementBound(client);
      this.#update(client, undefined);
    });
    pool.on('remove', (client) => this.#known.delete(client));
    this.#looking = setInterval(() => void this.#discardWedged(), LOOK_EVERY_MS).unref();
  }

  get readOnlyAt(): number {
    return this.#readOnlyAt;
  }

  async isUsable(client: pg.ClientBase): Promise<boolean> {
    const connection = this.#known.get(client);
    const now = performance.now();
    if (!connection || connection.openedAt < this.#renewedAt || now > connection.retireAt) return false;
    if (now - connection.heardAt < TRUSTED_MS) return true;
    if (await resolvesWithin(ANSWERS_WITHIN_MS, connection.ask('select 1'))) return true;
    destroy(client);
    this.discardSilent(now, 'idle');
    return false;
  }

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

  async #discardWedged(): Promise<void> {
    if (this.#wedged().length === 0) return;
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
