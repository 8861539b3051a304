import { randomBytes } from 'node:crypto';
import { FailureCode, failureOf } from '@ces/chassis/rpc/failure';
import { printedSeed, VOLUME_TIMEOUT_MS, volumeOf } from '@ces/test/support/volume.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Binding, type CursorPosition, openCursor, signCursor } from './cursor.ts';
import { cursorKeys } from './keys.ts';

const setting = cursorKeys('KEYS', 'keys');
const OLD = `old=${'a1'.repeat(16)}`;
const NEW = `new=${'b2'.repeat(16)}`;
const keys = setting.parse(`${NEW},${OLD}`);
const binding: Binding = { accountId: 7n, pageFingerprint: randomBytes(32) };
const now = new Date('2026-11-01T00:00:00Z');
const end = new Date('2026-11-08T00:00:00Z');
const number = fc.bigInt({ min: 0n, max: 2n ** 53n });
const positions = fc.oneof(
  fc.record({
    kind: fc.constant('shortlist' as const),
    shortlistId: number,
    index: number,
    passedOver: fc.bigInt({ min: 0n, max: 2n ** 1000n - 1n }),
  }),
  fc.record({ kind: fc.constant('observed' as const), recordedBy: number, observedAt: number, id: number }),
  fc.record({ kind: fc.constant('recorded' as const), until: number, recordedAt: number, id: number }),
);

const KINDS = ['shortlist', 'observed', 'recorded', 'accepted', 'settled'] as const;

/** Undefined if one of the kinds opens it. */
function refusal(
  cursor: string,
  to: Partial<Binding> = {},
  at = now,
  with_ = keys,
  kinds: readonly CursorPosition['kind'][] = KINDS,
): FailureCode | undefined {
  const codes = kinds.map((kind) => {
    try {
      openCursor(with_, kind, cursor, at, { ...binding, ...to });
      return undefined;
    } catch (error) {
      return failureOf(error)?.code;
    }
  });
  return codes.includes(undefined) ? undefined : codes[0];
}

test('a cursor opens to the position it was made for', () => {
  fc.assert(
    fc.property(positions, (position: CursorPosition) => {
      const cursor = signCursor(keys, position, end, binding);
      const opened = openCursor(keys, position.kind, cursor, now, binding);
      expect(opened).toEqual({ position, expiresAt: end });
    }),
  );
});

test('the longest cursor opens', () => {
  const longest = setting.parse(`${'k'.repeat(16)}=${'a1'.repeat(16)}`);
  const most = BigInt(Number.MAX_SAFE_INTEGER);
  const position = { kind: 'shortlist', shortlistId: most, index: 999n, passedOver: 2n ** 999n - 1n } as const;
  const cursor = signCursor(longest, position, end, binding);
  expect(openCursor(longest, 'shortlist', cursor, now, binding)).toEqual({ position, expiresAt: end });
});

test(
  'no cursor with a changed bit opens',
  () => {
    fc.assert(
      fc.property(positions, (position) => {
        const bytes = Buffer.from(signCursor(keys, position, end, binding));
        for (let bit = 0; bit < bytes.length * 8; bit += 1) {
          const altered = Buffer.from(bytes);
          altered[bit >> 3] = (altered[bit >> 3] ?? 0) ^ (1 << (bit & 7));
          expect(refusal(altered.toString('latin1'))).toBe(FailureCode.INVALID_CURSOR);
        }
      }),
      { numRuns: volumeOf(20, 200), seed: printedSeed() },
    );
  },
  VOLUME_TIMEOUT_MS,
);

test('a cursor of one list opens no other', () => {
  const cursor = signCursor(keys, { kind: 'accepted', createdAt: 1n, id: 2n }, end, binding);
  expect(refusal(cursor, {}, now, keys, ['accepted'])).toBeUndefined();
  const others = KINDS.filter((kind) => kind !== 'accepted');
  expect(refusal(cursor, {}, now, keys, others)).toBe(FailureCode.INVALID_CURSOR);
});

test('a cursor is refused when it is cut, longer, made up or too long', () => {
  const cursor = signCursor(keys, { kind: 'shortlist', shortlistId: 1n, index: 25n, passedOver: 0n }, end, binding);
  for (let length = 0; length < cursor.length; length += 1)
    expect(refusal(cursor.slice(0, length))).toBe(FailureCode.INVALID_CURSOR);
  for (const wrong of [`${cursor}A`, `${cursor}=`, ` ${cursor}`, 'x'.repeat(100_000)])
    expect(refusal(wrong)).toBe(FailureCode.INVALID_CURSOR);
});

const madeUp = fc.oneof(
  fc.string({ maxLength: 600, unit: 'binary' }),
  fc.base64String({ maxLength: 600 }),
  fc
    .tuple(positions, fc.uint8Array({ minLength: 32, maxLength: 32 }))
    .map(([position, secret]) =>
      signCursor(setting.parse(`new=${Buffer.from(secret).toString('hex')}`), position, end, binding),
    ),
);

test(
  'no invented text opens',
  () => {
    fc.assert(
      fc.property(madeUp, (text) => refusal(text) === FailureCode.INVALID_CURSOR),
      { numRuns: volumeOf(200, 100_000, 1_000), seed: printedSeed() },
    );
  },
  VOLUME_TIMEOUT_MS,
);

test(
  'a cursor opens only for its own account and search',
  () => {
    const other = fc.record({
      accountId: number,
      pageFingerprint: fc.uint8Array({ minLength: 32, maxLength: 32 }).map(Buffer.from),
    });
    fc.assert(
      fc.property(positions, other, other, (position, mine, theirs) => {
        fc.pre(mine.accountId !== theirs.accountId && !mine.pageFingerprint.equals(theirs.pageFingerprint));
        const cursor = signCursor(keys, position, end, mine);
        const { accountId, pageFingerprint } = theirs;
        expect([
          refusal(cursor, mine),
          refusal(cursor, { ...mine, accountId }),
          refusal(cursor, { ...mine, pageFingerprint }),
          refusal(cursor, theirs),
        ]).toEqual([undefined, ...Array(3).fill(FailureCode.INVALID_CURSOR)]);
      }),
      { numRuns: volumeOf(100, 10_000), seed: printedSeed() },
    );
  },
  VOLUME_TIMEOUT_MS,
);

test('a cursor belongs to one account and one search, and dies', () => {
  const cursor = signCursor(keys, { kind: 'shortlist', shortlistId: 1n, index: 25n, passedOver: 0n }, end, binding);
  expect(refusal(cursor)).toBeUndefined();
  expect(refusal(cursor, { accountId: 8n })).toBe(FailureCode.INVALID_CURSOR);
  expect(refusal(cursor, { pageFingerprint: randomBytes(32) })).toBe(FailureCode.INVALID_CURSOR);
  expect(refusal(cursor, {}, end)).toBe(FailureCode.INVALID_CURSOR);
  expect(refusal(cursor, {}, new Date(end.getTime() - 1))).toBeUndefined();
});

test('an old key opens its cursors until it is taken out', () => {
  const position: CursorPosition = { kind: 'shortlist', shortlistId: 1n, index: 25n, passedOver: 0n };
  const cursor = signCursor(setting.parse(OLD), position, end, binding);
  expect(refusal(cursor)).toBeUndefined();
  expect(refusal(cursor, {}, now, setting.parse(NEW))).toBe(FailureCode.INVALID_CURSOR);
});

test.each(['', 'a', 'a=xyz', 'a=00', `a b=${'00'.repeat(16)}`])('the keys %j are refused', (text) => {
  expect(() => setting.parse(text)).toThrow(/must/);
});
