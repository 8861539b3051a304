import { FailureCode, fail } from '@ces/chassis/rpc/failure';

/** 0 means the default. */
export function pageSize(asked: number, byDefault: number, max: number): number {
  if (asked < 0 || asked > max) throw fail(FailureCode.INVALID_REQUEST, `limit must be from 1 to ${max}.`);
  return asked || byDefault;
}
