/** What of the machine's own unrest may make a linear time look like: a quadratic one grows by the power of 2. */
const LINEAR_POWER = 1.6;
/** Long beside a tick of the clock of processor's time, which is 4 ms on some machines. */
const CERTAIN_MS = 160;
const TRIES = 3;

export interface GrowthRange {
  /** The first size; it is doubled until the time is long enough to be sure of. */
  readonly from: number;
  /** The greatest size. What takes no long time even there passes: what is quadratic does. */
  readonly to: number;
}

/**
 * What is wrong with how the time of `work` grows with the size of its input, with sizes and milliseconds; undefined if it grows
 * about linearly. Compares the best of several tries at a size and at a quarter of it, by the processor's time of this thread.
 */
export function superlinear<T>(
  make: (size: number) => T,
  work: (input: T) => unknown,
  { from, to }: GrowthRange,
): string | undefined {
  for (let size = from; size <= to; size *= 2) {
    if (leastMs(make(size), work, 1) < CERTAIN_MS) continue;
    const large = leastMs(make(size), work, TRIES);
    if (large < CERTAIN_MS) continue;
    const small = leastMs(make(size / 4), work, TRIES);
    const power = Math.log(large / Math.max(small, 1)) / Math.log(4);
    return power > LINEAR_POWER
      ? `${small.toFixed(0)} ms for ${size / 4}, ${large.toFixed(0)} ms for ${size}`
      : undefined;
  }
  return undefined;
}

function leastMs<T>(input: T, work: (input: T) => unknown, tries: number): number {
  let least = Number.POSITIVE_INFINITY;
  for (let at = 0; at < tries; at += 1) {
    const start = threadMs();
    work(input);
    least = Math.min(least, threadMs() - start);
  }
  return least;
}

/** The processor's time that this thread has had, in milliseconds: what others take of the machine is not in it. */
export function threadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
