import { FailureCode, fail } from '@ces/chassis/rpc/failure';

/** Refuses a call whose list is longer than its contract allows. */
export function checkAtMost(name: string, count: number, max: number): void {
  if (count > max) throw fail(FailureCode.INVALID_REQUEST, `${name} holds more than ${max}.`);
}

/** Refuses a call whose number lies outside its contract. */
export function checkBetween(name: string, value: number, min: number, max: number): void {
  if (value < min || value > max) throw fail(FailureCode.INVALID_REQUEST, `${name} must be ${min} to ${max}.`);
}

const MAX_REASON_LENGTH = 500;

/** Refuses a call that does not say why, or at too great length. */
export function checkReason(reason: string): void {
  if (reason.trim() === '' || [...reason].length > MAX_REASON_LENGTH || reason.includes('\0'))
    throw fail(FailureCode.INVALID_REQUEST, `reason must be 1 to ${MAX_REASON_LENGTH} characters.`);
}
