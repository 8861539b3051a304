import type { Attempt } from '../../load/attempt.ts';
import { failedCalls, percentile } from '../rolling/traffic.ts';
import { type Served, TOLERANCE, unevenness } from './shares.ts';
import type { Silence } from './silence.ts';

export interface Row {
  readonly what: string;
  readonly seen: string;
  readonly figures: unknown;
  /** Undefined if the figure is only informative. */
  readonly passed?: boolean;
}

/** In ms since 1970. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
}

const THIRD_WITHIN_S = 60;
const LOST_WITHIN_S = 15;
/**
 * Calls count as fast if their p90 is at most this multiple of the usual one, plus a margin for one
 * busy moment.
 */
const QUICK = { times: 2, beyondMs: 100 };
const QUICK_STRETCH_MS = 2_000;
const LOOK_EVERY_MS = 250;

export function evenRow(service: string, served: Served): Row {
  const apart = unevenness(served);
  const counts = [...served].map(([name, calls]) => `${name} ${calls}`).join(', ');
  return {
    what: `${service}: two share`,
    seen: `${counts} calls: ${(apart * 100).toFixed(1)} % apart`,
    figures: { served: Object.fromEntries(served), apart },
    passed: apart <= TOLERANCE,
  };
}

export function thirdRow(service: string, seconds: number | undefined): Row {
  return {
    what: `${service}: a third comes`,
    seen: after(seconds, 'an even share of five seconds'),
    figures: { seconds },
    passed: isWithin(seconds, THIRD_WITHIN_S),
  };
}

export function silenceRow(silence: Silence, attempts: readonly Attempt[], before: Stretch): Row {
  const { service, stoppedAt, lostAt, continuedAt, backAfter } = silence;
  const usual = percentile(sentIn(attempts, before), 90);
  const quickAt = quickFrom(attempts, { from: lostAt ?? continuedAt, to: continuedAt }, usual);
  const [lostAfter, quickAfter] = [lostAt, quickAt].map((at) => at && (at - stoppedAt) / 1_000);
  const during = sentIn(attempts, { from: stoppedAt, to: lostAt ?? continuedAt });
  const own = failedCalls(attempts.filter((attempt) => wasInItsHands(attempt, silence)));
  const longest = Math.max(...during.map(({ sentAt, receivedAt }) => receivedAt - sentAt)) / 1_000;
  return {
    what: `${service}: one falls silent`,
    seen:
      `${after(lostAfter, 'without calls')}, ${after(quickAfter, 'as quick as ever')}; until then ${during.length} calls, ` +
      `the longest ${longest.toFixed(1)} s, ${own.length} failed; ${after(backAfter, 'even')} once it goes on`,
    figures: {
      ...silence,
      lostAfter,
      quickAfter,
      usual,
      calls: during.length,
      longest,
      failed: own.length,
      examples: own.slice(0, 3),
    },
    passed: isWithin(lostAfter, LOST_WITHIN_S) && isWithin(quickAfter, LOST_WITHIN_S) && backAfter !== undefined,
  };
}

function quickFrom(attempts: readonly Attempt[], within: Stretch, usual: number): number | undefined {
  for (let from = within.from; from + QUICK_STRETCH_MS <= within.to; from += LOOK_EVERY_MS) {
    const p90 = percentile(sentIn(attempts, { from, to: from + QUICK_STRETCH_MS }), 90);
    if (p90 <= QUICK.times * usual + QUICK.beyondMs) return from;
  }
  return undefined;
}

function after(seconds: number | undefined, what: string): string {
  return seconds === undefined ? `never ${what}` : `${what} after ${seconds.toFixed(1)} s`;
}

function isWithin(seconds: number | undefined, most: number): boolean {
  return seconds !== undefined && seconds <= most;
}

/** A frozen projector keeps its lock, so no other takes over. The drill only reports this. */
export function indexRow(indexed: boolean): Row {
  return {
    what: 'search: its index while the oldest is silent',
    seen: indexed ? 'goes on' : 'stands still: the leader is frozen, and its lock with it',
    figures: { indexed },
  };
}

/** Calls that failed although no silent process can have received them. */
export function lossRow(attempts: readonly Attempt[], silences: readonly Silence[]): Row {
  const failed = failedCalls(attempts.filter((one) => !silences.some((silence) => wasInItsHands(one, silence))));
  return {
    what: 'calls that failed beside those of a silent process',
    seen: `${failed.length} of ${attempts.length}`,
    figures: { failed, calls: attempts.length },
    passed: failed.length === 0,
  };
}

export function restartRow(restarts: number, seconds: number, attempts: readonly Attempt[]): Row {
  const failed = failedCalls(attempts).length;
  return {
    what: 'every process is replaced',
    seen:
      `${restarts} restarts in ${seconds.toFixed(0)} s under ${attempts.length} calls: ${failed} failed; ` +
      `p50 ${percentile(attempts, 50)} ms, p99 ${percentile(attempts, 99)} ms`,
    figures: { restarts, seconds, calls: attempts.length, failed },
    passed: failed === 0,
  };
}

export function checkRow(violations: readonly string[], endings: number): Row {
  return {
    what: 'checks C1 to C12, and how processes ended',
    seen: `${endings} processes ended, ${violations.length} violations`,
    figures: { violations, endings },
    passed: violations.length === 0,
  };
}

export function sentIn(attempts: readonly Attempt[], { from, to }: Stretch): readonly Attempt[] {
  return attempts.filter(({ sentAt }) => sentAt >= from && sentAt <= to);
}

/** Whether the call overlapped the time from the silence until no caller had a connection. */
function wasInItsHands({ sentAt, receivedAt }: Attempt, { stoppedAt, lostAt, continuedAt }: Silence): boolean {
  return receivedAt >= stoppedAt && sentAt <= (lostAt ?? continuedAt);
}
