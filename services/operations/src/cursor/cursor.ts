import { createHmac, timingSafeEqual } from 'node:crypto';
import { FailureCode, fail } from '@ces/chassis/rpc/failure';
import type { CursorKeys } from './keys.ts';

/** Where a page begins. Instants are microseconds since 1970. */
export type CursorPosition =
  | ShortlistCursor
  | { readonly kind: 'observed'; readonly recordedBy: bigint; readonly observedAt: bigint; readonly id: bigint }
  | { readonly kind: 'recorded'; readonly until: bigint; readonly recordedAt: bigint; readonly id: bigint }
  | { readonly kind: 'accepted'; readonly createdAt: bigint; readonly id: bigint }
  | StatementCursor;

interface ShortlistCursor {
  readonly kind: 'shortlist';
  readonly shortlistId: bigint;
  readonly index: bigint;
  /** Positions before `index` that no page delivered: bit n is position n. */
  readonly passedOver: bigint;
}

export interface StatementCursor {
  readonly kind: 'settled';
  readonly since: bigint;
  readonly until: bigint;
  readonly asOf: bigint;
  readonly knownUntil: bigint;
  readonly settledAt: bigint;
  readonly isReversal: boolean;
}

export interface Binding {
  readonly accountId: bigint;
  readonly pageFingerprint: Buffer;
}

const VERSION = '1';
const MAC_BYTES = 16;
const MAX_BYTES = 512;

/** Its fields, and 128 bits of HMAC-SHA-256 over these and the binding (decision 0034). */
export function signCursor(keys: CursorKeys, position: CursorPosition, expiresAt: Date, binding: Binding): string {
  const seconds = BigInt(Math.floor(expiresAt.getTime() / 1000));
  const text = [VERSION, keys.signer.name, ...positionFields(position), seconds].join('|');
  return Buffer.concat([Buffer.from(text), mac(keys.signer.secret, text, binding)]).toString('base64url');
}

export interface OpenedCursor<Kind extends CursorPosition['kind']> {
  readonly position: Extract<CursorPosition, { kind: Kind }>;
  readonly expiresAt: Date;
}

/**
 * Throws INVALID_CURSOR when malformed, altered, expired, of another kind or bound to something
 * else.
 */
export function openCursor<Kind extends CursorPosition['kind']>(
  keys: CursorKeys,
  asked: Kind,
  cursor: string,
  now: Date,
  binding: Binding,
): OpenedCursor<Kind> {
  const fields = verifiedFields(keys, cursor, binding);
  const [kind, ...numbers] = fields ?? [];
  const position = fields && toPosition(kind, numbers.map(BigInt));
  const expiresAt = new Date(Number(numbers.at(-1)) * 1000);
  if (position?.kind !== asked || !(expiresAt > now)) throw invalidCursor();
  return { position: position as OpenedCursor<Kind>['position'], expiresAt };
}

export function invalidCursor(): Error {
  return fail(
    FailureCode.INVALID_CURSOR,
    'The cursor cannot be used with this request: start again without a cursor, and with a new request key if the call takes one.',
  );
}

/** Accepts only the base64url spelling that `signCursor` writes. */
function verifiedFields(keys: CursorKeys, cursor: string, binding: Binding): string[] | undefined {
  if (cursor.length > MAX_BYTES) return undefined;
  const bytes = Buffer.from(cursor, 'base64url');
  if (bytes.length <= MAC_BYTES || bytes.toString('base64url') !== cursor) return undefined;
  const text = bytes.subarray(0, -MAC_BYTES).toString('latin1');
  const [version, keyName = '', ...fields] = text.split('|');
  const secret = keys.secrets.get(keyName);
  if (version !== VERSION || !secret) return undefined;
  return timingSafeEqual(bytes.subarray(-MAC_BYTES), mac(secret, text, binding)) ? fields : undefined;
}

function mac(secret: Buffer, text: string, binding: Binding): Buffer {
  return createHmac('sha256', secret)
    .update(`${text}|${binding.accountId}|`, 'latin1')
    .update(binding.pageFingerprint)
    .digest()
    .subarray(0, MAC_BYTES);
}

function positionFields(position: CursorPosition): (string | bigint)[] {
  switch (position.kind) {
    case 'shortlist':
      return ['s', position.shortlistId, position.index, `0x${position.passedOver.toString(16)}`];
    case 'observed':
      return ['o', position.recordedBy, position.observedAt, position.id];
    case 'recorded':
      return ['r', position.until, position.recordedAt, position.id];
    case 'accepted':
      return ['a', position.createdAt, position.id];
    case 'settled': {
      const { since, until, asOf, knownUntil, settledAt, isReversal } = position;
      return ['t', since, until, asOf, knownUntil, settledAt, isReversal ? 1n : 0n];
    }
  }
}

function toPosition(kind: string | undefined, numbers: readonly bigint[]): CursorPosition | undefined {
  const [a = 0n, b = 0n, c = 0n, d = 0n, e = 0n, f = 0n] = numbers;
  switch (kind) {
    case 's':
      return { kind: 'shortlist', shortlistId: a, index: b, passedOver: c };
    case 'o':
      return { kind: 'observed', recordedBy: a, observedAt: b, id: c };
    case 'r':
      return { kind: 'recorded', until: a, recordedAt: b, id: c };
    case 'a':
      return { kind: 'accepted', createdAt: a, id: b };
    case 't':
      return { kind: 'settled', since: a, until: b, asOf: c, knownUntil: d, settledAt: e, isReversal: f === 1n };
    default:
      return undefined;
  }
}
