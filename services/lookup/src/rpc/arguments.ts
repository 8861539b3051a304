import { FailureCode, fail } from '@ces/chassis/rpc/failure';

export function checkAtMost(name: string, count: number, max: number): void {
  if (count > max) throw fail(FailureCode.INVALID_REQUEST, `${name} holds more than ${max}.`);
}

export function checkBetween(name: string, value: number, min: number, max: number): void {
  if (value < min || value > max) throw fail(FailureCode.INVALID_REQUEST, `${name} must be ${min} to ${max}.`);
}

const MAX_REASON_LENGTH = 500;

export function checkReason(reason: string): void {
  if (reason.trim() === '' || [...reason].length > MAX_REASON_LENGTH || reason.includes('\0'))
    throw fail(FailureCode.INVALID_REQUEST, `reason must be 1 to ${MAX_REASON_LENGTH} characters.`);
}

const MAX_BATCH = 500;
const MAX_SOURCE_LENGTH = 100;

export function checkBatch(source: string, size: number): void {
  if (source.trim() === '' || [...source].length > MAX_SOURCE_LENGTH || source.includes('\0'))
    throw fail(FailureCode.INVALID_REQUEST, `source must be 1 to ${MAX_SOURCE_LENGTH} characters.`);
  if (size > MAX_BATCH) throw fail(FailureCode.INVALID_REQUEST, `At most ${MAX_BATCH} records in a call.`);
}
