import { refuse } from './refuse.ts';

/** A whole number within bounds; absent stays absent. */
export function parseCount(value: number | undefined, field: string, max?: number): number | undefined {
  if (value === undefined) return undefined;
  if (value < 1) refuse(`${field} must be at least 1.`);
  if (max !== undefined && value > max) refuse(`${field} is too large: send at most ${max}.`);
  return value;
}
