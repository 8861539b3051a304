import type { Timestamp } from '@bufbuild/protobuf/wkt';
import { dateOf } from '@ces/chassis/instant';
import { FailureCode, fail } from '@ces/chassis/rpc/failure';
import type { Units } from '../allowance/units.ts';
import { SCOPES, type Scope } from '../credential/scope.ts';
import type { Limits } from '../db/limits.ts';

export const PLANS: readonly string[] = ['builder', 'professional'];
export const STATUSES: readonly string[] = [
  'trialing',
  'active',
  'past_due',
  'paused',
  'canceled',
  'unpaid',
  'incomplete',
];

/** In lower case. */
export const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const MAX_WINDOW_SECONDS = 31_622_400n;
const MAX_PAGE_LIMIT = 1_000;
const MAX_UNITS = BigInt(Number.MAX_SAFE_INTEGER);

export function invalid(message: string): Error {
  return fail(FailureCode.INVALID_REQUEST, message);
}

export function notFound(what: string, id: bigint | string): Error {
  return fail(FailureCode.NOT_FOUND, `There is no ${what} ${id}.`);
}

export function requireId(value: bigint, name: string): bigint {
  if (value < 1n) throw invalid(`\`${name}\` must be at least 1.`);
  return value;
}

export function requireUnits(units: Units | undefined): Units {
  if (!units) throw invalid('`units` is required.');
  const { requestUnits, deliveredUnits, freshEvidenceUnits } = units;
  for (const value of [requestUnits, deliveredUnits, freshEvidenceUnits])
    if (value < 0n || value > MAX_UNITS) throw invalid(`\`units\` must be from 0 to ${MAX_UNITS}.`);
  return { requestUnits, deliveredUnits, freshEvidenceUnits };
}

export function requireText(value: string, name: string, min: number, max: number): string {
  const { length } = [...value];
  if (length < min || length > max) throw invalid(`\`${name}\` must have ${min} to ${max} characters.`);
  return value;
}

export function requireOneOf(value: string, name: string, values: readonly string[]): string {
  if (!values.includes(value)) throw invalid(`\`${name}\` must be one of ${values.join(', ')}.`);
  return value;
}

export function requireInstant(value: Timestamp, name: string): Date {
  const instant = dateOf(value);
  const year = instant.getUTCFullYear();
  if (!(year >= 1 && year <= 9999)) throw invalid(`\`${name}\` must be an instant up to the year 9999.`);
  return instant;
}

export function requireScopes(scopes: readonly string[]): readonly Scope[] {
  const unknown = scopes.find((scope) => !(SCOPES as readonly string[]).includes(scope));
  if (unknown !== undefined || new Set(scopes).size < scopes.length)
    throw invalid(`\`scopes\` must be of ${SCOPES.join(', ')}, each once.`);
  return scopes.length === 0 ? SCOPES : SCOPES.filter((scope) => scopes.includes(scope));
}

export function requirePageSize(value: number, fallback: number, max: number): number {
  if (value < 0 || value > max) throw invalid(`\`limit\` must be from 1 to ${max}.`);
  return value || fallback;
}

const UNIT_LIMITS = [
  'windowRequestUnits',
  'weekRequestUnits',
  'periodRequestUnits',
  'windowDeliveredUnits',
  'weekDeliveredUnits',
  'periodDeliveredUnits',
] as const;

export function requireLimits(limits: Limits = {}): Limits {
  const { windowSeconds, pageLimit } = limits;
  if (windowSeconds !== undefined && (windowSeconds < 1n || windowSeconds > MAX_WINDOW_SECONDS))
    throw invalid(`\`window_seconds\` must be from 1 to ${MAX_WINDOW_SECONDS}.`);
  if (pageLimit !== undefined && (pageLimit < 1 || pageLimit > MAX_PAGE_LIMIT))
    throw invalid(`\`page_limit\` must be from 1 to ${MAX_PAGE_LIMIT}.`);
  const units = UNIT_LIMITS.map((name) => [name, limits[name]] as const);
  for (const [, value] of units)
    if (value !== undefined && (value < 0n || value > MAX_UNITS))
      throw invalid(`Every limit of units must be from 0 to ${MAX_UNITS}.`);
  return { windowSeconds, pageLimit, ...Object.fromEntries(units) };
}
