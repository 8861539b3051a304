export interface AdaptiveLimitOptions {
  /** Calls at work that every machine can take; when nobody waits, their latency is what others are compared with. */
  readonly least: number;
  readonly most: number;
  /** How many times its calm latency a call may take before fewer are let in. Above 1. */
  readonly tolerance: number;
  /** Milliseconds that never go back. */
  readonly now: () => number;
}

/** Before anything was measured. */
const FIRST_LIMIT = 8;
/** Samples after which an average has forgotten two thirds of what was before. */
const CALM_MEMORY = 20;
const PRESENT_MEMORY = 8;
/** Samples between two changes, at least. */
const PATIENCE = 8;
/** The limit falls by this factor at most in one change. */
const STEEPEST = 0.7;
/** So long after a call had to wait, others are not taken for calm. */
const QUIET_MS = 1_000;
/** So long without a calm call, and half as many work until a few were seen, or a while has passed: those pass for calm. */
const RECALL_AFTER_MS = 10_000;
const RECALL_SHARE = 0.5;
const RECALL_SAMPLES = 8;
const RECALL_MS = 1_000;

/**
 * How many calls may be at work at once, as a gradient of latency: more while calls wait and latency is what it is
 * without load, fewer when it is more than a few times that. Latencies are compared action by action and as logarithms,
 * since a search takes ten times a look-up and some searches ten times others.
 */
export class AdaptiveLimit {
  readonly #options: AdaptiveLimitOptions;
  readonly #calm = new Map<string, Average>();
  readonly #present = new Average(PRESENT_MEMORY);
  #limit: number;
  #samples = 0;
  #pressed = false;
  #calmSeenAt: number;
  #pressedAt = Number.NEGATIVE_INFINITY;
  #recall: { readonly until: number; readonly most: number; missing: number } | undefined;

  constructor(options: AdaptiveLimitOptions) {
    this.#options = options;
    this.#limit = Math.min(options.most, Math.max(options.least, FIRST_LIMIT));
    this.#calmSeenAt = options.now();
  }

  /** Calls that may be at work now; whole. */
  get current(): number {
    return this.#recall?.most ?? Math.floor(this.#limit);
  }

  /** Milliseconds an action takes without load; undefined until one was seen. */
  calmMs(action: string): number | undefined {
    const calm = this.#calm.get(action);
    return calm && Math.exp(calm.value);
  }

  /** A call had to wait: the limit is what holds calls back. */
  press(): void {
    const now = this.#options.now();
    this.#pressed = true;
    this.#pressedAt = now;
    if (this.#recall && now >= this.#recall.until) this.#endRecall();
    else if (!this.#recall && now - this.#calmSeenAt >= RECALL_AFTER_MS) this.#beginRecall(now);
  }

  /** A call took `ms`; `atWork` were at work when it began, itself among them. */
  observe(action: string, ms: number, atWork: number): void {
    const logarithm = Math.log(Math.max(ms, 0.1));
    const calm = this.#calm.get(action) ?? new Average(CALM_MEMORY);
    if (calm.count === 0 || this.#isCalm(atWork)) {
      calm.add(logarithm);
      this.#calm.set(action, calm);
      this.#calmSeenAt = this.#options.now();
      if (this.#recall && --this.#recall.missing <= 0) this.#endRecall();
    }
    this.#present.add(logarithm - calm.value);
    this.#samples += 1;
    if (this.#samples >= Math.max(PATIENCE, this.#limit)) this.#change();
  }

  /** Few work and nobody has waited for a while; or calls are held back. */
  #isCalm(atWork: number): boolean {
    if (this.#recall) return atWork <= this.#recall.most;
    return atWork <= this.#options.least && this.#options.now() - this.#pressedAt >= QUIET_MS;
  }

  #change(): void {
    const { least, most, tolerance } = this.#options;
    const over = Math.exp(this.#present.value) / tolerance;
    if (over > 1) this.#limit = Math.max(least, this.#limit * Math.max(STEEPEST, 1 / over));
    else if (this.#pressed) this.#limit = Math.min(most, this.#limit + Math.sqrt(this.#limit));
    this.#samples = 0;
    this.#pressed = false;
  }

  #beginRecall(now: number): void {
    const most = Math.max(this.#options.least, Math.floor(this.#limit * RECALL_SHARE));
    this.#recall = { until: now + RECALL_MS, most, missing: RECALL_SAMPLES };
    for (const calm of this.#calm.values()) calm.doubt();
  }

  #endRecall(): void {
    this.#recall = undefined;
    this.#calmSeenAt = this.#options.now();
  }
}

/** A mean that forgets: of all samples while they are few, exponential afterwards. */
class Average {
  readonly #memory: number;
  value = 0;
  count = 0;

  constructor(memory: number) {
    this.#memory = memory;
  }

  /** What comes next weighs more than what was before. */
  doubt(): void {
    this.count = Math.min(this.count, 1);
  }

  add(sample: number): void {
    this.count = Math.min(this.count + 1, this.#memory);
    this.value += (sample - this.value) / this.count;
  }
}
