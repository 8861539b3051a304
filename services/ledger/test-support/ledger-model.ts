import type { Limits } from '../src/db/limits.ts';

export interface Pair {
  readonly requests: number;
  readonly delivered: number;
}

export interface ModelLimits {
  readonly windowSeconds: number;
  readonly window: Pair;
  readonly week: Pair;
}

const WEEK_SECONDS = 604_800;

export class LedgerModel {
  #now = 0;
  readonly #entries: (Pair & { readonly at: number })[] = [];
  readonly #holds = new Map<bigint, Pair>();
  limits: ModelLimits = {
    windowSeconds: 150,
    window: { requests: 5, delivered: 20 },
    week: { requests: 12, delivered: 50 },
  };

  pass(seconds: number): void {
    this.#now += seconds;
  }

  hold(operationId: bigint, pair: Pair): void {
    this.#holds.set(operationId, pair);
  }

  release(operationId: bigint): void {
    this.#holds.delete(operationId);
  }

  post({ requests, delivered }: Pair): void {
    this.#entries.push({ at: this.#now, requests, delivered });
  }

  /** The position wraps around. Returns undefined if nothing is held. */
  holdAt(position: number): readonly [bigint, Pair] | undefined {
    return [...this.#holds][position % this.#holds.size];
  }

  fits({ requests, delivered }: Pair): boolean {
    return (
      (requests === 0 || requests <= this.#left('requests')) &&
      (delivered === 0 || delivered <= this.#left('delivered'))
    );
  }

  admissibleDelivered({ requests }: Pair): number {
    return this.fits({ requests, delivered: 0 }) ? Math.max(0, this.#left('delivered')) : 0;
  }

  remaining(): { window: number; week: number } {
    const { windowSeconds, window, week } = this.limits;
    return {
      window: Math.max(0, window.requests - this.#used('requests', windowSeconds)),
      week: Math.max(0, week.requests - this.#used('requests', WEEK_SECONDS)),
    };
  }

  ownLimits(): Limits {
    const { windowSeconds, window, week } = this.limits;
    return {
      windowSeconds: BigInt(windowSeconds),
      windowRequestUnits: BigInt(window.requests),
      windowDeliveredUnits: BigInt(window.delivered),
      weekRequestUnits: BigInt(week.requests),
      weekDeliveredUnits: BigInt(week.delivered),
    };
  }

  #left(unit: keyof Pair): number {
    const { windowSeconds, window, week } = this.limits;
    return Math.min(window[unit] - this.#used(unit, windowSeconds), week[unit] - this.#used(unit, WEEK_SECONDS));
  }

  #used(unit: keyof Pair, seconds: number): number {
    const counted = this.#entries.filter(({ at }) => at > this.#now - seconds);
    return [...counted, ...this.#holds.values()].reduce((sum, pair) => sum + pair[unit], 0);
  }
}
