import { timingSafeEqual } from 'node:crypto';
import type { DescMethod } from '@bufbuild/protobuf';
import { MethodOptions_IdempotencyLevel } from '@bufbuild/protobuf/wkt';
import { FailureCode, fail } from '../failure.ts';
import { type Setting, text } from '../settings.ts';

export const ROLES = ['viewer', 'support', 'operator'] as const;
export type Role = (typeof ROLES)[number];

/** For CallerPolicy: operators of at least this role. No program can have such a name. */
export const VIEWERS = 'role:viewer';
export const SUPPORT = 'role:support';
export const OPERATORS = 'role:operator';

/** Percent-encoded UTF-8. */
export const REASON_HEADER = 'x-ces-reason';

export interface Operator {
  readonly name: string;
  readonly role: Role;
  readonly digest: Buffer;
}

const ENTRY = /^([a-z0-9][a-z0-9._@-]{0,63}):([a-z]{1,16})=([0-9a-f]{64})$/;

/** `name:role=digest,…` with hexadecimal SHA-256. A name has one role and any number of tokens. */
export function operators(name: string, description: string): Setting<readonly Operator[]> {
  return { ...text(name, description, { secret: true, default: '' }), parse: parseOperators };
}

function parseOperators(value: string): readonly Operator[] {
  const known = value.split(',').filter(Boolean).map(parseOperator);
  if (new Set(known.map(({ digest }) => digest.toString('hex'))).size < known.length)
    throw new Error('must give no token twice');
  const roles = new Map(known.map(({ name, role }) => [name, role]));
  if (known.some(({ name, role }) => roles.get(name) !== role)) throw new Error('must give an operator one role');
  return known;
}

function parseOperator(entry: string): Operator {
  const [, name = '', role = '', digest = ''] = ENTRY.exec(entry.trim()) ?? [];
  if (!isRole(role))
    throw new Error(`must be name:role=digest, the role one of ${ROLES.join(', ')}, the digest 64 hexadecimal digits`);
  return { name, role, digest: Buffer.from(digest, 'hex') };
}

function isRole(text: string): text is Role {
  return (ROLES as readonly string[]).includes(text);
}

export function findOperator(known: readonly Operator[], digest: Buffer): Operator | undefined {
  return known.find((one) => timingSafeEqual(one.digest, digest));
}

export function roleNeeded(allowed: readonly string[]): Role | undefined {
  return ROLES.find((role) => allowed.includes(`role:${role}`));
}

export function includesRole(role: Role, needed: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(needed);
}

export function mayChange(method: DescMethod): boolean {
  return method.idempotency !== MethodOptions_IdempotencyLevel.NO_SIDE_EFFECTS;
}

const MAX_REASON_LENGTH = 500;
/** The minimum length of tokens, and longer than any word. */
const SECRET = /[0-9A-Za-z_]{44,}/;

/** '' without a reason; throws INVALID_REQUEST for an invalid one. */
export function readReason(header: string | null): string {
  if (header === null || header === '') return '';
  const reason = decoded(header)?.trim();
  if (reason === undefined || reason === '' || [...reason].length > MAX_REASON_LENGTH || /\p{C}/u.test(reason))
    throw fail(
      FailureCode.INVALID_REQUEST,
      `${REASON_HEADER} must be 1 to ${MAX_REASON_LENGTH} characters in percent-encoded UTF-8, without control characters.`,
    );
  if (SECRET.test(reason))
    throw fail(FailureCode.INVALID_REQUEST, 'The reason seems to hold a secret: leave it out, a reason is kept.');
  return reason;
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
