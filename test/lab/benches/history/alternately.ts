import { goOn } from '../../support/bench.ts';
import { percentile } from '../../support/figures.ts';

/** How long something took, in milliseconds, on one system and on the other. */
export interface Compared {
  readonly what: string;
  readonly empty: readonly number[];
  readonly history: readonly number[];
  /** Why its ratio is shown and not judged; absent: it is judged. */
  readonly notJudged?: string;
}

/** What is measured, on either system: takes one step and returns how long it took, in milliseconds. */
export interface Subject {
  readonly what: string;
  readonly notJudged?: string;
  readonly step: Readonly<Record<'empty' | 'history', (turn: number) => Promise<number>>>;
  /** Default: as many as asked for. */
  readonly atMost?: number;
}

/** A step whose whole duration counts. */
export function timed(step: (turn: number) => Promise<unknown>): (turn: number) => Promise<number> {
  return async (turn) => {
    const begun = performance.now();
    await step(turn);
    return performance.now() - begun;
  };
}

/** Measures one and the other in turn, `samples` times, after a few that do not count. */
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
    // Which goes first changes, so that neither always finds the machine as the other left it.
    for (const name of turn % 2 === 0 ? (['empty', 'history'] as const) : (['history', 'empty'] as const)) {
      const ms = await step[name](turn);
      if (turn >= unmeasured) (name === 'empty' ? empty : history).push(ms);
    }
  }
  return { what, empty, history, ...(notJudged !== undefined && { notJudged }) };
}

const MOST = 1.3;
/** What differs by less is noise of the machine, in milliseconds. */
const NOISE_MS = 1;

export interface Verdict {
  readonly emptyP50: number;
  readonly emptyP95: number;
  readonly historyP50: number;
  readonly historyP95: number;
  readonly ratio: number;
  readonly judged: 'within' | 'above' | 'not judged';
}

/** Whether a history costs at most 1.3 times as much at the median; less than a millisecond more is no difference. */
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
