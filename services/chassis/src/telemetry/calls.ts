import { metrics } from '@opentelemetry/api';
import { FailureCode, failureOf } from '../rpc/failure.ts';
import { DURATION_BOUNDS } from './rpc.ts';

/**
 * What a call from outside came to. `ok`: answered with what was asked for. `late`: it was to be waited for, and an acceptance came in
 * place of the result. `client`: the caller asked for what there is not, or left. `limited`: a limit or the subscription of the caller
 * refused it. `ours`: a fault of ours, or too much to do.
 */
export type CallOutcome = 'ok' | 'late' | 'client' | 'limited' | 'ours';

/** A call from outside, however it came; a few values each, since every mix of them is a series. */
export interface OutsideCall {
  readonly surface: 'rest' | 'mcp' | 'grpc';
  /** What was asked for, by one word whichever the surface. */
  readonly action: string;
  /** `front`: the caller waits for the result; `background`: for its acceptance; `poll`: for how things stand. */
  readonly mode: 'front' | 'background' | 'poll';
  readonly outcome: CallOutcome;
}

/** Counts and times calls from outside; objectives are computed from these alone. */
export type MeasureCall = (call: OutsideCall, seconds: number) => void;

/** Made once telemetry has started; before that nothing is counted. */
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

/** Whose doing it is that an RPC was refused or broke down; what carries no failure is ours. */
export function outcomeOfFailure(error: unknown): Exclude<CallOutcome, 'ok' | 'late'> {
  const failure = failureOf(error);
  if (!failure || FAULTS.has(failure.code)) return 'ours';
  return LIMITS.has(failure.code) ? 'limited' : 'client';
}
