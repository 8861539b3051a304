import { FailureCode } from '@ces/chassis/rpc/failure';

export interface StoredFailure {
  readonly code: FailureCode;
  readonly message: string;
}

export const EXPIRED: StoredFailure = {
  code: FailureCode.USAGE_EXPIRED,
  message:
    'The operation expired before it was finished and nothing was charged: submit it again with a new request key.',
};

export const SEARCH_FAILED: StoredFailure = {
  code: FailureCode.SEARCH_FAILED,
  message: 'The search failed and nothing was charged: submit it again with a new request key.',
};

/** By their names in the interface, which the database stores. */
const NAMES = {
  planning_unavailable: FailureCode.PLANNING_UNAVAILABLE,
  search_failed: FailureCode.SEARCH_FAILED,
  usage_expired: FailureCode.USAGE_EXPIRED,
} as const;

type FailureName = keyof typeof NAMES;

export function failureCodeOf(name: string): FailureCode {
  return NAMES[name as FailureName] ?? FailureCode.SEARCH_FAILED;
}

export function failureNameOf(code: FailureCode): FailureName {
  const found = Object.entries(NAMES).find(([, value]) => value === code);
  return found ? (found[0] as FailureName) : 'search_failed';
}
