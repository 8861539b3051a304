import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from '../telemetry/log.ts';
import type { Candidacy, Lead, LeadListener, LeadTimes } from './lead.ts';
import type { LeaseMeters } from './lease-meters.ts';
import { acquireOrRenewLease, releaseLease } from './lease-row.ts';
import type { Pool, Queryable } from './pool.ts';

class LeadLost extends Error {
  override readonly name = 'LeadLost';
}

interface LeaderElectionOptions extends LeadTimes {
  readonly name: string;
  readonly holder: string;
  readonly pool: Pool;
  readonly logger: Logger;
  readonly meters: LeaseMeters;
}

interface HeldLead extends Lead {
  readonly lost: AbortController;
  /** In the monotonic clock's time; never later than the end by the database's clock. */
  endsAt: number;
  timer: NodeJS.Timeout;
}

export class LeaderElection implements Candidacy {
  readonly #options: LeaderElectionOptions;
  readonly #listeners = new Set<LeadListener>();
  readonly #closing = new AbortController();
  readonly #asking: Promise<void>;
  readonly #unobserve: () => void;
  #held: HeldLead | undefined;

  constructor(options: LeaderElectionOptions) {
    this.#options = options;
    this.#unobserve = options.meters.observe(options.name, () => this.lead);
    this.#asking = this.#ask();
  }

  get lead(): Lead | undefined {
    // A process that was suspended may get here before its timers run.
    if (this.#held && performance.now() >= this.#held.endsAt) this.#lose('was not renewed in time');
    return this.#held;
  }

  add(listener: LeadListener): void {
    this.#listeners.add(listener);
    if (this.lead)
      queueMicrotask(() => {
        if (this.#listeners.has(listener) && this.lead) listener.onLead();
      });
  }

  remove(listener: LeadListener): number {
    this.#listeners.delete(listener);
    return this.#listeners.size;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const { pool, name, holder, leadRenewalMs, logger } = this.#options;
    this.#closing.abort();
    await this.#asking;
    this.#unobserve();
    if (!this.#held) return;
    this.#end(this.#held);
    await within(pool, leadRenewalMs, (db) => releaseLease(db, name, holder)).catch((error: unknown) =>
      logger.warn({ err: error, lease: name }, 'lease not released; another process becomes leader when it expires'),
    );
  }

  async #ask(): Promise<void> {
    const { leadRenewalMs } = this.#options;
    const { signal } = this.#closing;
    while (!signal.aborted) {
      const renewed = await this.#acquireOrRenew();
      await pause(renewed ? leadRenewalMs : leadRenewalMs / 3, undefined, { signal }).catch(() => undefined);
    }
  }

  async #acquireOrRenew(): Promise<boolean> {
    const { pool, name, holder, leadLeaseMs, leadRenewalMs, logger } = this.#options;
    const askedAt = performance.now();
    try {
      const fence = await within(pool, leadRenewalMs, (db) => acquireOrRenewLease(db, name, holder, leadLeaseMs));
      if (fence === undefined) this.#lose('is held by another process');
      else this.#keep(fence, askedAt + leadLeaseMs);
      return fence !== undefined;
    } catch (error) {
      if (!this.#closing.signal.aborted) logger.warn({ err: error, lease: name }, 'lease neither acquired nor renewed');
      return false;
    }
  }

  #keep(fence: bigint, endsAt: number): void {
    if (this.#held && this.#held.fence !== fence) this.#lose('was not renewed in time');
    clearTimeout(this.#held?.timer);
    const timer = setTimeout(() => this.lead, Math.max(0, endsAt - performance.now()));
    if (this.#held) {
      Object.assign(this.#held, { endsAt, timer });
      return;
    }
    const lost = new AbortController();
    this.#held = { fence, signal: lost.signal, lost, endsAt, timer };
    const { name, logger } = this.#options;
    logger.info({ lease: name, fence }, 'this process leads');
    if (!this.#closing.signal.aborted) for (const listener of this.#listeners) listener.onLead();
  }

  #lose(why: string): void {
    const { name, logger, meters } = this.#options;
    if (!this.#held) return;
    logger.warn({ lease: name, fence: this.#held.fence }, `lead lost: the lease ${why}`);
    meters.lost(name);
    this.#end(this.#held);
    for (const listener of this.#listeners) listener.onLost();
  }

  #end(held: HeldLead): void {
    clearTimeout(held.timer);
    this.#held = undefined;
    held.lost.abort(new LeadLost(`the lease ${this.#options.name} has ended`));
  }
}

/** A connection that does not answer in time has an unknown state. */
async function within<T>(pool: Pool, ms: number, work: (db: Queryable) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  const late = new AbortController();
  const limit = pause(ms, undefined, { signal: late.signal }).then(() => {
    throw new Error(`no answer within ${ms} ms`);
  });
  limit.catch(() => undefined);
  const working = work(client);
  working.catch(() => undefined);
  try {
    const result = await Promise.race([working, limit]);
    client.release();
    return result;
  } catch (error) {
    client.release(true);
    throw error;
  } finally {
    late.abort();
  }
}
