export interface AdaptiveLimitOptions {
  /** Calls that every machine can run at once; when none waits, their latency is what others are compared with. */
  readonly least: number;
  readonly most: number;
  /** How many times its baseline latency a call may take before fewer are admitted. Above 1. */
  readonly tolerance: number;
  /** Milliseconds that never go back. */
  readonly now: () => number;
}

/** Before anything was measured. */
const FIRST_LIMIT = 8;
/** Samples after which an average has forgotten two thirds of what was before. */
const BASELINE_MEMORY = 20;
const RECENT_MEMORY = 8;
/** Samples between two changes of the limit, at least. */
const SAMPLES_PER_CHANGE = 8;
/** The limit falls by this factor at most in one change. */
const STEEPEST = 0.7;
/** So long after the last overload signal, latencies do not count towards the baseline. */
const QUIET_MS = 1_000;
/**
 * So long without a baseline sample, and the limit is reduced to a share, until a few samples were seen or a while has
 * passed: those count towards the baseline.
 */
const REMEASURE_AFTER_MS = 10_000;
const REMEASURE_SHARE = 0.5;
const REMEASURE_SAMPLES = 8;
const REMEASURE_MS = 1_000;

interface Remeasurement {
  readonly until: number;
  readonly limit: number;
  missingSamples: number;
}

/**
 * How many calls may run at once, as a gradient of latency: more while calls wait and latency is at its baseline, fewer
 * when it is more than a few times that (decision 0031). Latencies are compared action by action and as logarithms,
 * since a search takes ten times a look-up and some searches ten times others.
 */
export class AdaptiveLimit {
  readonly #options: AdaptiveLimitOptions;
  readonly #baselines = new Map<string, DecayingAverage>();
  /** Of latencies over their baselines. */
  readonly #recent = new DecayingAverage(RECENT_MEMORY);
  #limit: number;
  #samples = 0;
  #overloaded = false;
  #overloadedAt = Number.NEGATIVE_INFINITY;
  #baselineSeenAt: number;
  #remeasurement: Remeasurement | undefined;

  constructor(options: AdaptiveLimitOptions) {
    this.#options = options;
    this.#limit = Math.min(options.most, Math.max(options.least, FIRST_LIMIT));
    this.#baselineSeenAt = options.now();
  }

  /** Calls that may run at once now; whole. */
  get current(): number {
    return this.#remeasurement?.limit ?? Math.floor(this.#limit);
  }

  /** Milliseconds an action takes without load; undefined until one was seen. */
  baselineMs(action: string): number | undefined {
    const baseline = this.#baselines.get(action);
    return baseline && Math.exp(baseline.value);
  }

  /** A call had to wait: the limit is what holds calls back. */
  signalOverload(): void {
    const now = this.#options.now();
    this.#overloaded = true;
    this.#overloadedAt = now;
    if (this.#remeasurement && now >= this.#remeasurement.until) this.#endRemeasurement();
    else if (!this.#remeasurement && now - this.#baselineSeenAt >= REMEASURE_AFTER_MS) this.#beginRemeasurement(now);
  }

  /** A call took `ms`; `running` ran when it began, itself among them. */
  observe(action: string, ms: number, running: number): void {
    const logarithm = Math.log(Math.max(ms, 0.1));
    const baseline = this.#baselines.get(action) ?? new DecayingAverage(BASELINE_MEMORY);
    if (baseline.count === 0 || this.#isUnloaded(running)) {
      baseline.add(logarithm);
      this.#baselines.set(action, baseline);
      this.#baselineSeenAt = this.#options.now();
      if (this.#remeasurement && --this.#remeasurement.missingSamples <= 0) this.#endRemeasurement();
    }
    this.#recent.add(logarithm - baseline.value);
    this.#samples += 1;
    if (this.#samples >= Math.max(SAMPLES_PER_CHANGE, this.#limit)) this.#change();
  }

  /** Few calls run and none has waited for a while; or the limit is reduced in order to measure. */
  #isUnloaded(running: number): boolean {
    if (this.#remeasurement) return running <= this.#remeasurement.limit;
    return running <= this.#options.least && this.#options.now() - this.#overloadedAt >= QUIET_MS;
  }

  #change(): void {
    const { least, most, tolerance } = this.#options;
    const over = Math.exp(this.#recent.value) / tolerance;
    if (over > 1) this.#limit = Math.max(least, this.#limit * Math.max(STEEPEST, 1 / over));
    else if (this.#overloaded) this.#limit = Math.min(most, this.#limit + Math.sqrt(this.#limit));
    this.#samples = 0;
    this.#overloaded = false;
  }

  #beginRemeasurement(now: number): void {
    const limit = Math.max(this.#options.least, Math.floor(this.#limit * REMEASURE_SHARE));
    this.#remeasurement = { until: now + REMEASURE_MS, limit, missingSamples: REMEASURE_SAMPLES };
    for (const baseline of this.#baselines.values()) baseline.decay();
  }

  #endRemeasurement(): void {
    this.#remeasurement = undefined;
    this.#baselineSeenAt = this.#options.now();
  }
}

/** The mean of all samples while they are few, an exponential moving average afterwards. */
class DecayingAverage {
  readonly #memory: number;
  value = 0;
  count = 0;

  constructor(memory: number) {
    this.#memory = memory;
  }

  /** What comes next weighs more than what was before. */
  decay(): void {
    this.count = Math.min(this.count, 1);
  }

  add(sample: number): void {
    this.count = Math.min(this.count + 1, this.#memory);
    this.value += (sample - this.value) / this.count;
  }
}
