import { timingSafeEqual } from 'node:crypto';
import type { DescMethod } from '@bufbuild/protobuf';
import { MethodOptions_IdempotencyLevel } from '@bufbuild/protobuf/wkt';
import { type Setting, text } from '../service/settings.ts';
import { FailureCode, fail } from './failure.ts';

/** What an operator may do; each role may do what those before it may. */
export const ROLES = ['viewer', 'support', 'operator'] as const;
export type Role = (typeof ROLES)[number];

/** Operators of a role and of those above it, in a CallerPolicy; no program can have such a name. */
export const VIEWERS = 'role:viewer';
export const SUPPORT = 'role:support';
export const OPERATORS = 'role:operator';

/** Why an operator makes a call: percent-encoded UTF-8. */
export const REASON_HEADER = 'x-ces-reason';

/** A person who administers, proven by a token of which only the SHA-256 is known. */
export interface Operator {
  readonly name: string;
  readonly role: Role;
  readonly digest: Buffer;
}

const ENTRY = /^([a-z0-9][a-z0-9._@-]{0,63}):([a-z]{1,16})=([0-9a-f]{64})$/;

/** `name:role=digest,…`: the digest is the SHA-256 of a token in hexadecimal digits; a name has one role and any number of tokens. */
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

/** The operator whose token has this digest. */
export function findOperator(known: readonly Operator[], digest: Buffer): Operator | undefined {
  return known.find((one) => timingSafeEqual(one.digest, digest));
}

/** The lowest role that a list of callers lets in; undefined where it lets no operator in. */
export function roleNeeded(allowed: readonly string[]): Role | undefined {
  return ROLES.find((role) => allowed.includes(`role:${role}`));
}

export function reaches(role: Role, needed: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(needed);
}

/** Whether a call may change something, by what its contract says of its side effects. */
export function mayChange(method: DescMethod): boolean {
  return method.idempotency !== MethodOptions_IdempotencyLevel.NO_SIDE_EFFECTS;
}

const MAX_REASON_LENGTH = 500;
/** As long as no word is, and as every bearer and token is at least. */
const SECRET = /[0-9A-Za-z_]{44,}/;

/** The reason that a header gives, '' where there is none; throws INVALID_REQUEST for one that cannot be kept. */
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
