import { goOn } from '../../support/bench.ts';
import { percentile } from '../../support/figures.ts';

export interface Compared {
  readonly what: string;
  readonly empty: readonly number[];
  readonly history: readonly number[];
  /** Why the ratio is only shown. Absent if the ratio is judged. */
  readonly notJudged?: string;
}

/** A measurement on both systems. A step returns its duration in ms. */
export interface Subject {
  readonly what: string;
  readonly notJudged?: string;
  readonly step: Readonly<Record<'empty' | 'history', (turn: number) => Promise<number>>>;
  readonly atMost?: number;
}

export function timed(step: (turn: number) => Promise<unknown>): (turn: number) => Promise<number> {
  return async (turn) => {
    const begun = performance.now();
    await step(turn);
    return performance.now() - begun;
  };
}

/** Measures both systems alternately, `samples` times, after a short warm-up. */
export async function measureAlternately(
  { what, notJudged, step, atMost = Number.POSITIVE_INFINITY }: Subject,
  samples: number,
  signal: AbortSignal,
): Promise<Compared> {
  const empty: number[] = [];
  const history: number[] = [];
  const count = Math.min(samples, atMost);
  const unmeasured = atMost > samples ? Math.min(5, samples) : 0;
  for (let turn = 0; turn < unmeasured + count; turn += 1) {
    goOn(signal);
    // Alternates the order, so that no system always runs second.
    for (const name of turn % 2 === 0 ? (['empty', 'history'] as const) : (['history', 'empty'] as const)) {
      const ms = await step[name](turn);
      if (turn >= unmeasured) (name === 'empty' ? empty : history).push(ms);
    }
  }
  return { what, empty, history, ...(notJudged !== undefined && { notJudged }) };
}

const MOST = 1.3;
const NOISE_MS = 1;

export interface Verdict {
  readonly emptyP50: number;
  readonly emptyP95: number;
  readonly historyP50: number;
  readonly historyP95: number;
  readonly ratio: number;
  readonly judged: 'within' | 'above' | 'not judged';
}

/**
 * Passes if the median with a history is at most 1.3 times the other, or less than 1 ms above it.
 */
export function judge({ empty, history, notJudged }: Compared): Verdict {
  const [emptyP50, historyP50] = [percentile(empty, 0.5), percentile(history, 0.5)];
  const ratio = emptyP50 === 0 ? 0 : historyP50 / emptyP50;
  const isAbove = ratio > MOST && historyP50 - emptyP50 > NOISE_MS;
  const isJudged = notJudged === undefined && empty.length > 0 && history.length > 0;
  return {
    emptyP50,
    emptyP95: percentile(empty, 0.95),
    historyP50,
    historyP95: percentile(history, 0.95),
    ratio,
    judged: isJudged ? (isAbove ? 'above' : 'within') : 'not judged',
  };
}
