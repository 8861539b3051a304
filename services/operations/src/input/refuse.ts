import { FailureCode, fail } from '@ces/chassis/rpc/failure';

/** The sentence says what to send instead. */
export function refuse(message: string): never {
  throw fail(FailureCode.INVALID_SEARCH, message);
}
