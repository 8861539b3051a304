import { isEverAdmissible, type LimitedUnit, type Shortfall } from './admission.ts';
import type { AllowanceInterval } from './balance-snapshot.ts';

export interface Refusal {
  readonly code: 'request_limit_reached' | 'invalid_api_key' | 'subscription_required' | 'usage_expired';
  readonly message: string;
  /** Rounded up to a second of the database's clock. */
  readonly retryAt?: Date;
  readonly retryAfterSeconds?: bigint;
  readonly admissibleDeliveredUnits: bigint;
}

export interface RetryTime {
  readonly shortfall: Shortfall;
  readonly retryAt: Date;
  readonly retryAfterSeconds: bigint;
}

export const CREDENTIAL_REFUSED: Refusal = {
  code: 'invalid_api_key',
  message: 'The API key is missing, unknown, revoked or expired; send a valid one as a bearer token.',
  admissibleDeliveredUnits: 0n,
};

export const SUBSCRIPTION_REFUSED: Refusal = {
  code: 'subscription_required',
  message: 'This account has no active or trialing subscription.',
  admissibleDeliveredUnits: 0n,
};

export const RELEASED_BEFORE: Refusal = {
  code: 'usage_expired',
  message: 'The operation was given up before it took units; submit a new request key.',
  admissibleDeliveredUnits: 0n,
};

export const TOO_OLD: Refusal = {
  code: 'usage_expired',
  message: 'The operation is too old to take units; submit a new request key.',
  admissibleDeliveredUnits: 0n,
};

/** The limit that becomes free last. `retryTimes` is empty if no later call is admitted. */
export function limitRefusal(
  missing: readonly Shortfall[],
  retryTimes: readonly RetryTime[],
  admissible: bigint,
): Refusal {
  const last = retryTimes.reduce<RetryTime | undefined>((a, b) => (a && a.retryAt >= b.retryAt ? a : b), undefined);
  const named = last?.shortfall ?? missing.find((shortfall) => !isEverAdmissible([shortfall])) ?? missing[0];
  return {
    code: 'request_limit_reached',
    message: named ? sentenceOf(named, last) : 'The allowance is used up.',
    admissibleDeliveredUnits: admissible,
    ...(last && { retryAt: last.retryAt, retryAfterSeconds: last.retryAfterSeconds }),
  };
}

const INTERVAL_WORDS: Readonly<Record<AllowanceInterval, string>> = {
  window: 'rolling window',
  week: 'rolling week',
  period: 'current period',
};

const UNIT_WORDS: Readonly<Record<LimitedUnit, string>> = { request: 'request units', delivered: 'delivered units' };

function sentenceOf({ interval, unit, limit, left, asked }: Shortfall, retryTime: RetryTime | undefined): string {
  const state = `The ${INTERVAL_WORDS[interval]} leaves ${left} of ${limit} ${UNIT_WORDS[unit]} and this call may need ${asked}`;
  return retryTime
    ? `${state}; try again at ${retryTime.retryAt.toISOString()}.`
    : `${state}; it can never be admitted as it is.`;
}
