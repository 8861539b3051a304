import { generateKeyPairSync, sign } from 'node:crypto';
import { create, toBinary } from '@bufbuild/protobuf';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { FailureCode, failureOf } from '@ces/chassis/rpc/failure';
import { createLogger } from '@ces/chassis/telemetry/log';
import { type Principal, PrincipalSchema, PrincipalStatementSchema } from '@ces/proto/ces/ledger/v1/ledger_pb.ts';
import { beforeEach, expect, test, vi } from 'vitest';
import { LedgerKeyCache } from './ledger-keys.ts';
import { createPrincipals, type Principals } from './principals.ts';

const NOW = Date.parse('2026-11-23T12:00:00Z');
const MINUTE_MS = 60_000;

function keyNamed(name: string) {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  return { name, privateKey, publicKey: publicKey.export({ format: 'der', type: 'spki' }) };
}

type Key = ReturnType<typeof keyNamed>;

class KeySource {
  keys: Key[] = [];
  now = NOW;
  isAway = false;
  asked = 0;

  readonly readSigningKeys = async () => {
    this.asked += 1;
    if (this.isAway) throw new Error('away');
    return {
      keys: this.keys.map((key) => ({ ...key, $typeName: 'ces.ledger.v1.SigningKey' as const })),
      now: new Date(this.now),
    };
  };
}

let source: KeySource;
let first: Key;
let principals: Principals;

beforeEach(() => {
  source = new KeySource();
  first = keyNamed('first');
  source.keys = [first];
  principals = createPrincipals(new LedgerKeyCache(source), createLogger('test', 'silent'));
});

interface Statement {
  readonly by?: Key;
  readonly issuedAt?: number;
  readonly lifetimeMs?: number;
  readonly audience?: string;
}

function carried({
  by = first,
  issuedAt = NOW,
  lifetimeMs = MINUTE_MS,
  audience = 'operations',
}: Statement = {}): Principal {
  const statement = toBinary(
    PrincipalStatementSchema,
    create(PrincipalStatementSchema, {
      principal: { accountId: 1n, plan: 'builder' },
      audience,
      issuedAt: timestampFromMs(issuedAt),
      expiresAt: timestampFromMs(issuedAt + lifetimeMs),
    }),
  );
  const signed = { key: by.name, statement, signature: sign(null, statement, by.privateKey) };
  return create(PrincipalSchema, { accountId: 2n, signed });
}

async function refusalOf(principal: Principal): Promise<FailureCode | undefined> {
  const error = await principals.verify(principal).then(
    () => undefined,
    (refusal: unknown) => refusal,
  );
  return failureOf(error)?.code;
}

test('only the signed statement counts', async () => {
  expect(await principals.verify(carried())).toMatchObject({ accountId: 1n, plan: 'builder' });
  await principals.verify(carried());
  expect(source.asked).toBe(1);
});

test('a principal that is unsigned, changed, signed by another or meant for another is refused', async () => {
  const changed = carried();
  changed.signed?.statement.set([changed.signed.statement[3] ? 0 : 1], 3);
  const cases = [
    create(PrincipalSchema, { accountId: 1n }),
    changed,
    carried({ by: { ...keyNamed('first') } }),
    carried({ audience: 'search' }),
  ];
  for (const one of cases) expect(await refusalOf(one)).toBe(FailureCode.CALLER_NOT_ALLOWED);
});

test('a verified principal is accepted again only with the same signed bytes, key and lifetime', async () => {
  const known = carried();
  await principals.verify(known);
  expect(await principals.verify(known)).toMatchObject({ accountId: 1n });
  const { key = '', statement = new Uint8Array(), signature = new Uint8Array() } = known.signed ?? {};
  const changed = Uint8Array.from(statement, (byte, at) => (at === 3 ? byte ^ 1 : byte));
  const shown = (signed: object) => create(PrincipalSchema, { signed: { key, statement, signature, ...signed } });
  expect(await refusalOf(shown({ statement: changed }))).toBe(FailureCode.CALLER_NOT_ALLOWED);
  expect(await refusalOf(shown({ statement: statement.subarray(1) }))).toBe(FailureCode.CALLER_NOT_ALLOWED);
  const second = keyNamed('second');
  source.keys = [first, second];
  expect(await refusalOf(shown({ key: 'second' }))).toBe(FailureCode.CALLER_NOT_ALLOWED);
  // The cache must hold its own copy: callers may change their bytes.
  known.signed?.statement.fill(0);
  expect(await refusalOf(known)).toBe(FailureCode.CALLER_NOT_ALLOWED);
  expect(await refusalOf(shown({ statement }))).toBe(FailureCode.CALLER_NOT_ALLOWED);
});

test('a statement ends by the clock of the ledger, whatever the clock of this process says', async () => {
  using _clock = vi.spyOn(Date, 'now').mockReturnValue(NOW + 300 * MINUTE_MS);
  expect(await refusalOf(carried())).toBeUndefined();
  expect(await refusalOf(carried({ issuedAt: NOW - 3 * MINUTE_MS }))).toBe(FailureCode.SERVICE_UNAVAILABLE);
  expect(await refusalOf(carried({ issuedAt: NOW + 3 * MINUTE_MS }))).toBe(FailureCode.SERVICE_UNAVAILABLE);
});

test('a new key, and a changed clock of the ledger, are learned at once; earlier keys stay valid while it is unavailable', async () => {
  await principals.verify(carried());
  const second = keyNamed('second');
  source.keys = [second, first];
  expect(await Promise.all([carried({ by: second }), carried()].map((one) => refusalOf(one)))).toEqual([
    undefined,
    undefined,
  ]);
  source.now = NOW + 60 * MINUTE_MS;
  expect(await refusalOf(carried({ issuedAt: source.now }))).toBeUndefined();
  source.isAway = true;
  expect(await refusalOf(carried({ issuedAt: source.now }))).toBeUndefined();
  expect(await refusalOf(carried({ by: keyNamed('third') }))).toBe(FailureCode.SERVICE_UNAVAILABLE);
  expect(source.asked).toBe(4);
});

test('without keys, nothing can be judged while the ledger is away', async () => {
  source.isAway = true;
  await expect(principals.verify(carried())).rejects.toThrow('away');
});
