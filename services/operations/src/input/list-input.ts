import { FailureCode, fail } from '@ces/chassis/rpc/failure';
import { type Instant, parseInstant } from './instant.ts';

export function parseListInstant(text: string | undefined, field: string): Instant | undefined {
  return text === undefined ? undefined : parseInstant(text, field, refuseList);
}

export function laterInstant(one: Instant, other: Instant): Instant {
  return instantOrder(one) < instantOrder(other) ? other : one;
}

export function checkInterval(since: Instant | undefined, until: Instant | undefined): void {
  if (since !== undefined && until !== undefined && !(instantOrder(since) < instantOrder(until)))
    refuseList('`since` must be before `until`.');
}

export function parseListLimit(limit: number | undefined, byDefault: number, max: number): number {
  if (limit === undefined) return byDefault;
  if (limit < 1 || limit > max) refuseList(`\`limit\` must be from 1 to ${max}.`);
  return limit;
}

export function refuseList(message: string): never {
  throw fail(FailureCode.INVALID_REQUEST, message);
}

/** Without the final Z, a longer fraction of the same second sorts later. */
function instantOrder(instant: Instant): string {
  return instant.slice(0, -1);
}
