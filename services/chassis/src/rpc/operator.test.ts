import { hash } from 'node:crypto';
import { LedgerAdminService } from '@ces/proto/ces/ledger/v1/ledger_admin_service_pb.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { acceptTokens } from '../../test-support/accept-tokens.ts';
import { FailureCode, failureOf } from '../failure.ts';
import { readSettings } from '../settings.ts';
import { createLogger } from '../telemetry/log.ts';
import { type Actor, actorOf, callerOf } from './caller.ts';
import { createRpcClient } from './client.ts';
import { OPERATORS, operators, readReason, VIEWERS } from './operator.ts';
import { type RpcServer, startRpcServer } from './server.ts';

const digestOf = (token: string) => hash('sha256', token);

function read(text: string) {
  return readSettings({ operators: operators('CES_RPC_OPERATORS', 'who') }, { CES_RPC_OPERATORS: text }).operators;
}

test('an operator has a name, one role and any number of tokens', () => {
  expect(read('')).toEqual([]);
  const both = read(
    `alice:support=${digestOf('old')},alice:support=${digestOf('new')},bob@a.example:viewer=${digestOf('b')}`,
  );
  expect(both.map(({ name, role }) => [name, role])).toEqual([
    ['alice', 'support'],
    ['alice', 'support'],
    ['bob@a.example', 'viewer'],
  ]);
});

test.each([
  'alice',
  `alice=${digestOf('x')}`,
  `alice:root=${digestOf('x')}`,
  `Alice:viewer=${digestOf('x')}`,
  `:viewer=${digestOf('x')}`,
  `${'a'.repeat(65)}:viewer=${digestOf('x')}`,
  'alice:viewer=token',
  `alice:viewer=${digestOf('x')}0`,
  `alice:viewer=${digestOf('x')},bob:viewer=${digestOf('x')}`,
  `alice:viewer=${digestOf('x')},alice:operator=${digestOf('y')}`,
])('an entry that names no operator is a configuration error: %s', (text) => {
  expect(() => read(text)).toThrow('CES_RPC_OPERATORS');
});

let server: RpcServer;
const seen: { actor: Actor; caller: string }[] = [];

beforeAll(async () => {
  server = await startRpcServer({
    host: '127.0.0.1',
    port: 0,
    routes: (router) =>
      router.service(LedgerAdminService, {
        listPlans: (_, context) => remember(actorOf(context), callerOf(context)),
        createAccount: (_, context) => remember(actorOf(context), callerOf(context)),
      }),
    callers: {
      [LedgerAdminService.typeName]: { ListPlans: ['gateway', VIEWERS], CreateAccount: [OPERATORS] },
    },
    callerTokens: acceptTokens({
      gateway: 'of the gateway',
      admin: 'of a program named so',
      'role:operator': 'of a program with a name it cannot have',
    }),
    operators: read(
      `gateway:operator=${digestOf('of an operator named so')},vera:viewer=${digestOf('of vera')},olga:operator=${digestOf('older')},olga:operator=${digestOf('newer')}`,
    ),
    logger: createLogger('test', 'silent'),
  });
});
afterAll(() => server[Symbol.asyncDispose]());

function remember(actor: Actor, caller: string) {
  seen.push({ actor, caller });
  return {};
}

async function call(callerToken: string, method: 'listPlans' | 'createAccount', reason?: string) {
  const client = createRpcClient(LedgerAdminService, { url: server.url, callerToken, reason, timeoutMs: 5_000 });
  const before = seen.length;
  const code = await client[method]({}).then(
    () => undefined,
    (error: unknown) => failureOf(error)?.code,
  );
  return seen[before] ?? code;
}

test('an operator is known by name, role and reason, whichever of their tokens they show', async () => {
  for (const token of ['older', 'newer'])
    expect(await call(token, 'createAccount', 'Zürich called: 100 % agreed')).toEqual({
      actor: { name: 'olga', role: 'operator', reason: 'Zürich called: 100 % agreed' },
      caller: 'admin',
    });
});

test('a role may do what those below it may, and no more', async () => {
  expect(await call('newer', 'listPlans')).toMatchObject({ actor: { name: 'olga', reason: undefined } });
  expect(await call('of vera', 'listPlans')).toMatchObject({ actor: { name: 'vera', role: 'viewer' } });
  expect(await call('of vera', 'createAccount', 'why not')).toBe(FailureCode.CALLER_NOT_ALLOWED);
});

test('a method that may change data needs a reason without secrets or invisible characters', async () => {
  expect(await call('newer', 'createAccount')).toBe(FailureCode.INVALID_REQUEST);
  for (const reason of ['   ', 'x'.repeat(501), 'two\nlines', 'a\u{e0041}b', `key ces_live_${'a'.repeat(38)} leaked`])
    expect(await call('newer', 'createAccount', reason)).toBe(FailureCode.INVALID_REQUEST);
  expect(await call('newer', 'createAccount', '😀'.repeat(500))).toMatchObject({ actor: { name: 'olga' } });
  expect(() => readReason('%')).toThrow('percent-encoded');
});

test('no program passes for an operator, and no operator for a program', async () => {
  expect(await call('of the gateway', 'listPlans')).toMatchObject({ actor: { role: undefined }, caller: 'gateway' });
  expect(await call('of the gateway', 'createAccount', 'r')).toBe(FailureCode.CALLER_NOT_ALLOWED);
  expect(await call('of a program with a name it cannot have', 'createAccount', 'r')).toBe(
    FailureCode.CALLER_NOT_ALLOWED,
  );
  expect(await call('of a program named so', 'listPlans')).toBe(FailureCode.CALLER_NOT_ALLOWED);
  expect(await call('of an operator named so', 'listPlans')).toMatchObject({
    actor: { role: 'operator' },
    caller: 'admin',
  });
});
