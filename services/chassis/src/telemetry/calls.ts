import { metrics } from '@opentelemetry/api';
import { FailureCode, failureOf } from '../failure.ts';
import { DURATION_BOUNDS } from './rpc.ts';

/**
 * `late`: an acceptance instead of the awaited result. `client`: invalid, or the caller left.
 * `limited`: a limit or subscription refused it. `ours`: our fault or overload.
 */
export type CallOutcome = 'ok' | 'late' | 'client' | 'limited' | 'ours';

/** Each field has few values, because every combination is a time series. */
export interface ExternalCall {
  readonly surface: 'rest' | 'mcp' | 'grpc';
  readonly action: string;
  /** `front`: waits for the result; `background`: for its acceptance; `poll`: for a status. */
  readonly mode: 'front' | 'background' | 'poll';
  readonly outcome: CallOutcome;
}

export type MeasureCall = (call: ExternalCall, seconds: number) => void;

/** Call it after telemetry has started; an earlier meter records nothing. */
export function createCallMeter(): MeasureCall {
  const duration = metrics.getMeter('ces').createHistogram('ces.call.duration', {
    unit: 's',
    description: 'Calls from outside, by what they came to.',
    advice: { explicitBucketBoundaries: DURATION_BOUNDS },
  });
  return (call, seconds) => duration.record(seconds, { ...call });
}

const LIMITS: ReadonlySet<FailureCode> = new Set([
  FailureCode.SUBSCRIPTION_REQUIRED,
  FailureCode.REQUEST_LIMIT_REACHED,
  FailureCode.RATE_LIMITED,
]);

const FAULTS: ReadonlySet<FailureCode> = new Set([
  FailureCode.UNSPECIFIED,
  FailureCode.SERVICE_UNAVAILABLE,
  FailureCode.PLANNING_UNAVAILABLE,
  FailureCode.SEARCH_FAILED,
]);

/** An error without a failure detail is our fault. */
export function outcomeOfFailure(error: unknown): Exclude<CallOutcome, 'ok' | 'late'> {
  const failure = failureOf(error);
  if (!failure || FAULTS.has(failure.code)) return 'ours';
  return LIMITS.has(failure.code) ? 'limited' : 'client';
}
