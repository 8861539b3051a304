/**
 * Times depend on the machine, so only tests with the tag `nightly` may use this file.
 * A quadratic time grows by the power of 2. Noise makes a linear time look like up to this power.
 */
const LINEAR_POWER = 1.6;
/** Long compared with a tick of the clock of processor time, which is 4 ms on some machines. */
const CERTAIN_MS = 160;
const TRIES = 3;
/** How often both sizes are measured again before growth counts as a fault. */
const ROUNDS = 8;
/** A quadratic part is small at first: larger sizes are tried until one takes this long. */
const ENOUGH_MS = 600;

export interface GrowthRange {
  /** The first size; it is doubled until the time is long enough to be sure of. */
  readonly from: number;
  /** The greatest size. What takes no long time even there passes: what is quadratic does. */
  readonly to: number;
}

/**
 * Returns undefined if the time of `work` grows about linearly with the size of its input, else a
 * text with sizes and milliseconds. Compares the best of several tries at a size and at a quarter
 * of it, in processor time of this thread.
 */
export function superlinear<T>(
  make: (size: number) => T,
  work: (input: T) => unknown,
  range: GrowthRange,
): string | undefined {
  const trials = trialsOf(range);
  let next = trials.next();
  while (!next.done) next = trials.next(leastMs(make(next.value.size), work, next.value.tries));
  return next.value;
}

/** The same of work that waits; nothing else may run in this thread meanwhile. */
export async function superlinearAsync<T>(
  make: (size: number) => T,
  work: (input: T) => Promise<unknown>,
  range: GrowthRange,
): Promise<string | undefined> {
  const trials = trialsOf(range);
  let next = trials.next();
  while (!next.done) {
    const input = make(next.value.size);
    let least = Number.POSITIVE_INFINITY;
    for (let at = 0; at < next.value.tries; at += 1) {
      const start = threadMs();
      await work(input);
      least = Math.min(least, threadMs() - start);
    }
    next = trials.next(least);
  }
  return next.value;
}

interface Trial {
  readonly size: number;
  readonly tries: number;
}

/** Asks for the least milliseconds of trials, and returns what is wrong. */
function* trialsOf({ from, to }: GrowthRange): Generator<Trial, string | undefined, number> {
  for (let size = from; size <= to; size *= 2) {
    if ((yield { size, tries: 1 }) < CERTAIN_MS) continue;
    const { small, large, power } = yield* compareSizes(size);
    if (large < CERTAIN_MS) continue;
    if (power > LINEAR_POWER) return `${small.toFixed(0)} ms for ${size / 4}, ${large.toFixed(0)} ms for ${size}`;
    if (large >= ENOUGH_MS) return undefined;
  }
  return undefined;
}

/**
 * The least milliseconds at a size and at a quarter of it, and the exponent of their growth. Ends
 * after the first round with linear growth.
 */
function* compareSizes(size: number): Generator<Trial, { small: number; large: number; power: number }, number> {
  let [small, large, power] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, 0];
  for (let round = 0; round < ROUNDS; round += 1) {
    large = Math.min(large, yield { size, tries: TRIES });
    small = Math.min(small, yield { size: size / 4, tries: TRIES });
    power = Math.log(large / Math.max(small, 1)) / Math.log(4);
    if (power <= LINEAR_POWER) break;
  }
  return { small, large, power };
}

/** The least milliseconds of several tries. */
function leastMs<T>(input: T, work: (input: T) => unknown, tries: number): number {
  let least = Number.POSITIVE_INFINITY;
  for (let at = 0; at < tries; at += 1) {
    const start = threadMs();
    work(input);
    least = Math.min(least, threadMs() - start);
  }
  return least;
}

/** Processor time of this thread in milliseconds. Other processes do not add to it. */
export function threadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
