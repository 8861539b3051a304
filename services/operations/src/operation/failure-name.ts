import { FailureCode } from '@ces/chassis/rpc/failure';

/** Failures that are stored and replay, by the names of the interface. */
const NAMES = {
  planning_unavailable: FailureCode.PLANNING_UNAVAILABLE,
  search_failed: FailureCode.SEARCH_FAILED,
  usage_expired: FailureCode.USAGE_EXPIRED,
} as const;

export type FailureName = keyof typeof NAMES;

export function failureCodeOf(name: string): FailureCode {
  return NAMES[name as FailureName] ?? FailureCode.SEARCH_FAILED;
}

export function failureNameOf(code: FailureCode): FailureName {
  const found = Object.entries(NAMES).find(([, value]) => value === code);
  return found ? (found[0] as FailureName) : 'search_failed';
}
