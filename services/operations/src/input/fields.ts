import { normaliseHostname } from '@ces/proto/hostname';
import { refuse } from './refuse.ts';

/** Longest list of ids or hostnames of a filter, as sent (interface, Limits). */
const MAX_FILTER_VALUES = 100;

/** Hostnames in their normal form, in the order sent, without repetitions. */
export function parseHostnames(values: readonly string[], field: string, max = MAX_FILTER_VALUES): string[] {
  checkCount(values, field, max);
  const hostnames = values.map(
    (value, index) =>
      normaliseHostname(value) ??
      refuse(`${field}[${index}] is not a hostname: send the bare name, without scheme, path, port or user.`),
  );
  return [...new Set(hostnames)];
}

/** Company ids of a filter, ascending, without repetitions. */
export function parseFilterIds(values: readonly bigint[], field: string): number[] {
  checkCount(values, field, MAX_FILTER_VALUES);
  const ids = values.map((value, index) => {
    const id = Number(value);
    return Number.isSafeInteger(id) && id >= 1
      ? id
      : refuse(`${field}[${index}] is not a company id: send whole numbers from 1 to ${Number.MAX_SAFE_INTEGER}.`);
  });
  return [...new Set(ids)].sort((a, b) => a - b);
}

/** Names out of a fixed set, sorted, without repetitions. */
export function parseChoices(values: readonly string[], field: string, allowed: readonly string[]): string[] {
  for (const [index, value] of values.entries())
    if (!allowed.includes(value)) refuse(`${field}[${index}] is not supported: send ${allowed.join(', ')}.`);
  return [...new Set(values)].sort();
}

export function checkCount(values: readonly unknown[], field: string, max: number): void {
  if (values.length > max) refuse(`${field} has too many values: send at most ${max}.`);
}
