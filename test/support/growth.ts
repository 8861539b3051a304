/** What of the machine's own unrest may make a linear time look like: a quadratic one grows by the power of 2. */
const LINEAR_POWER = 1.6;
/** Shorter times say nothing. */
const MEASURABLE_MS = 4;
const TRIES = 5;

export interface GrowthRange {
  /** The first size; it is doubled until the time can be measured. */
  readonly from: number;
  /** The greatest size. A time that cannot be measured even there passes: a quadratic one can. */
  readonly to: number;
}

/**
 * What is wrong with how the time of `work` grows with the size of its input, with sizes and milliseconds; undefined if it grows
 * about linearly. Compares the best of several tries at a size, twice and four times it, in this process, and asks again before
 * it says so: only what grows too fast each time does.
 */
export function superlinear<T>(
  make: (size: number) => T,
  work: (input: T) => unknown,
  { from, to }: GrowthRange,
): string | undefined {
  let found: string | undefined;
  for (let round = 0; round < 3; round += 1) {
    found = measure(make, work, { from, to });
    if (found === undefined) return undefined;
  }
  return found;
}

function measure<T>(make: (size: number) => T, work: (input: T) => unknown, { from, to }: GrowthRange) {
  for (let size = from; size <= to; size *= 2) {
    if (best(make(size), work, 1) < MEASURABLE_MS || best(make(size), work, TRIES) < MEASURABLE_MS) continue;
    const times = [size / 4, size / 2, size].map((each) => best(make(each), work, TRIES));
    const [small = 0, , large = 0] = times;
    const power = Math.log(large / Math.max(small, 0.001)) / Math.log(4);
    return power > LINEAR_POWER
      ? `${size / 4}, ${size / 2}, ${size}: ${times.map((ms) => `${ms.toFixed(2)} ms`).join(', ')}`
      : undefined;
  }
  return undefined;
}

function best<T>(input: T, work: (input: T) => unknown, tries: number): number {
  let least = Number.POSITIVE_INFINITY;
  for (let at = 0; at < tries; at += 1) {
    const start = performance.now();
    work(input);
    least = Math.min(least, performance.now() - start);
  }
  return least;
}
