import type { IncomingMessage } from 'node:http';
import { create } from '@bufbuild/protobuf';
import { FailureCode, fail } from '@ces/chassis/rpc/failure';
import { PrincipalSchema } from '@ces/proto/ces/ledger/v1/ledger_pb.ts';
import { expect, test } from 'vitest';
import { bearerOf, createAuthenticate, type Identity } from './authenticate.ts';
import { PrincipalChanges } from './principal-changes.ts';

const principal = create(PrincipalSchema, { accountId: 1n });
const known = async (validForMs = Number.POSITIVE_INFINITY): Promise<Identity> => ({
  principal,
  validForMs,
  version: { epoch: 'one', version: 1n },
});
const revoked = async (): Promise<Identity> => {
  throw fail(FailureCode.INVALID_API_KEY, 'revoked');
};
const outage = async (): Promise<Identity> => {
  throw fail(FailureCode.SERVICE_UNAVAILABLE, 'no answer');
};

function setUp() {
  const ledger = { questions: 0, answer: () => known() };
  const clock = { ms: 0 };
  const now = () => clock.ms;
  const authenticate = createAuthenticate({
    ask: () => {
      ledger.questions += 1;
      return ledger.answer();
    },
    changes: new PrincipalChanges({ ask: () => Promise.reject(new Error('not asked')), freshMs: 1_000, now }),
    freshMs: 1_000,
    staleMs: 30_000,
    now,
  });
  return { ledger, clock, authenticate };
}

test('calls that wait for the same bearer ask once', async () => {
  const { ledger, authenticate } = setUp();
  await Promise.all(Array.from({ length: 50 }, () => authenticate('a')));
  expect(ledger.questions).toBe(1);
  await authenticate('b');
  expect(ledger.questions).toBe(2);
});

test('a revocation is seen after one second, counted from the question', async () => {
  const { ledger, clock, authenticate } = setUp();
  await authenticate('a');
  ledger.answer = revoked;
  clock.ms = 999;
  expect(await authenticate('a')).toBe(principal);
  clock.ms = 1_000;
  await expect(authenticate('a')).rejects.toMatchObject({ code: 'invalid_api_key', status: 401 });
});

test('a refusal is remembered as briefly as an answer', async () => {
  const { ledger, clock, authenticate } = setUp();
  ledger.answer = revoked;
  await expect(authenticate('a')).rejects.toMatchObject({ code: 'invalid_api_key' });
  await expect(authenticate('a')).rejects.toMatchObject({ code: 'invalid_api_key' });
  expect(ledger.questions).toBe(1);
  ledger.answer = () => known();
  clock.ms = 1_000;
  expect(await authenticate('a')).toBe(principal);
});

test('a cached answer serves 30 s while the ledger cannot be asked, then it is 503', async () => {
  const { ledger, clock, authenticate } = setUp();
  await authenticate('a');
  ledger.answer = outage;
  clock.ms = 29_999;
  expect(await authenticate('a')).toBe(principal);
  clock.ms = 31_000;
  await expect(authenticate('a')).rejects.toMatchObject({ code: 'service_unavailable', status: 503 });
  await expect(authenticate('never seen')).rejects.toMatchObject({ code: 'service_unavailable' });
});

test('bad keys, however many, take no good one from what serves while the ledger cannot be asked', async () => {
  const { ledger, clock, authenticate } = setUp();
  await authenticate('a');
  ledger.answer = revoked;
  for (let at = 0; at < 11_000; at += 1) await authenticate(`bad ${at}`).catch(() => undefined);
  ledger.answer = outage;
  clock.ms = 5_000;
  expect(await authenticate('a')).toBe(principal);
  await expect(authenticate('bad 10999')).rejects.toMatchObject({ code: 'invalid_api_key' });
});

test('an outage never revives a credential that was refused', async () => {
  const { ledger, clock, authenticate } = setUp();
  await authenticate('a');
  ledger.answer = revoked;
  clock.ms = 1_000;
  await expect(authenticate('a')).rejects.toMatchObject({ code: 'invalid_api_key' });
  ledger.answer = outage;
  clock.ms = 5_000;
  await expect(authenticate('a')).rejects.toMatchObject({ code: 'invalid_api_key' });
});

test('an answer that comes after one to a later question counts no more', async () => {
  const { ledger, clock, authenticate } = setUp();
  const late = Promise.withResolvers<Identity>();
  ledger.answer = () => late.promise;
  const first = authenticate('a');
  ledger.answer = revoked;
  clock.ms = 1_000;
  await expect(authenticate('a')).rejects.toMatchObject({ code: 'invalid_api_key' });
  late.resolve(await known());
  await first;
  expect(authenticate.knows('a')).toBe(false);
  ledger.answer = outage;
  clock.ms = 5_000;
  await expect(authenticate('a')).rejects.toMatchObject({ code: 'invalid_api_key' });
});

test('no answer outlives the credential, neither a fresh one nor one that serves while the ledger cannot be asked', async () => {
  const { ledger, clock, authenticate } = setUp();
  ledger.answer = () => known(400);
  await authenticate('a');
  clock.ms = 399;
  expect(await authenticate('a')).toBe(principal);
  clock.ms = 400;
  await expect(authenticate('a')).rejects.toMatchObject({ code: 'invalid_api_key', status: 401 });
  expect(ledger.questions).toBe(1);
  ledger.answer = () => known(7_000);
  await authenticate('b');
  ledger.answer = outage;
  clock.ms = 7_399;
  expect(await authenticate('b')).toBe(principal);
  clock.ms = 7_400;
  await expect(authenticate('b')).rejects.toMatchObject({ code: 'invalid_api_key', status: 401 });
});

const withHeader = (...authorization: string[]) =>
  ({ headersDistinct: { authorization } }) as unknown as IncomingMessage;

test.each(['Bearer abc', 'bearer abc', 'BEARER   abc ', 'Bearer a._~+/-='])('%j carries a bearer', (header) => {
  expect(bearerOf(withHeader(header))).toMatch(/^a/);
});

test.each([[[]], [['abc']], [['Basic abc']], [['Bearer']], [['Bearer a b']], [['Bearer a', 'Bearer a']]])(
  '%j carries none',
  (headers) => {
    expect(bearerOf(withHeader(...headers))).toBeUndefined();
  },
);
