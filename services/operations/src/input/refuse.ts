import { FailureCode, fail } from '@ces/chassis/rpc/failure';

/** Refuses an input of a search or look-up; the sentence says what to send instead. */
export function refuse(message: string): never {
  throw fail(FailureCode.INVALID_SEARCH, message);
}
