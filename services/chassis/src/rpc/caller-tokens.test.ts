import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { LedgerService } from '@ces/proto/ces/ledger/v1/ledger_service_pb.ts';
import { Code } from '@connectrpc/connect';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { FailureCode, failureOf } from '../failure.ts';
import { readSettings } from '../settings.ts';
import { createLogger } from '../telemetry/log.ts';
import { acceptedTokenSettings, acceptedTokens, findAccepted, sha256 } from './caller-tokens.ts';
import { createRpcClient } from './client.ts';
import { outgoingTokenSettings, outgoingTokensFor } from './outgoing-tokens.ts';
import { startRpcServer } from './server.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'ces-tokens-'));
});
afterEach(async () => {
  await rm(folder, { recursive: true });
});

const digestOf = (token: string) => sha256(token).toString('hex');

function accepted(env: Record<string, string>) {
  return acceptedTokens(readSettings(acceptedTokenSettings, env));
}

test('a program has several tokens at once, and none of them is kept', () => {
  const tokens = accepted({
    CES_RPC_CALLER_DIGESTS: `gateway=${digestOf('one')},gateway=${digestOf('two')},operations=${digestOf('three')}`,
  });
  const names = ['one', 'two', 'three', 'four'].map((token) => findAccepted(tokens, sha256(token)));
  expect(names).toEqual(['gateway', 'gateway', 'operations', undefined]);
  expect(JSON.stringify(tokens())).not.toContain('three');
});

test.each([
  [{ CES_RPC_CALLER_DIGESTS: 'gateway=one' }, 'digests of 64 hexadecimal digits'],
  [{ CES_RPC_CALLER_DIGESTS: 'gateway' }, 'name=value'],
])('a value that is not a digest is refused: %o', (env, sentence) => {
  expect(() => accepted(env)).toThrow(sentence);
});

test('a program without a token for what it calls says so when it starts', () => {
  const settings = readSettings(outgoingTokenSettings, { CES_RPC_TOKENS: 'ledger=t' });
  expect(outgoingTokensFor(settings, 'ledger')()).toEqual({ callerToken: 't', serviceAccountToken: undefined });
  expect(() => outgoingTokensFor(settings, 'lookup')).toThrow('CES_RPC_TOKENS has no token for lookup');
});

/** Replaces the file atomically, as the kubelet does. */
async function put(name: string, text: string): Promise<string> {
  const file = path.join(folder, name);
  await writeFile(`${file}.new`, text);
  await rename(`${file}.new`, file);
  return file;
}

test('a token is changed under load without a failed call, and the old one opens nothing afterwards', async () => {
  const digests = await put('digests', `gateway=${digestOf('old')}\n`);
  const own = await put('tokens', 'ledger=old\n');
  const seen = new Set<string>();
  await using server = await startRpcServer({
    host: '127.0.0.1',
    port: 0,
    routes: (router) =>
      router.service(LedgerService, {
        authenticate: (_, { requestHeader }) => {
          seen.add(requestHeader.get('x-ces-caller-token') ?? '');
          return {};
        },
      }),
    callers: { [LedgerService.typeName]: { Authenticate: ['gateway'] } },
    callerTokens: accepted({ CES_RPC_CALLER_DIGESTS_FILE: digests }),
    logger: createLogger('test', 'silent'),
  });
  const settings = readSettings(outgoingTokenSettings, { CES_RPC_TOKENS_FILE: own });
  const options = { url: server.url, timeoutMs: 5_000 };
  const client = createRpcClient(LedgerService, { ...options, callerToken: outgoingTokensFor(settings, 'ledger') });
  const withToken = (callerToken: string) => createRpcClient(LedgerService, { ...options, callerToken });
  const codeOf = (call: Promise<unknown>) =>
    call.then(
      () => 'answered',
      (error) => failureOf(error)?.code,
    );
  let isOver = false;
  let answered = 0;
  const load = Array.from({ length: 4 }, async () => {
    while (!isOver) {
      await client.authenticate({});
      answered += 1;
    }
  });
  await put('digests', `gateway=${digestOf('old')},gateway=${digestOf('new')}`);
  await expect.poll(() => codeOf(withToken('new').authenticate({}))).toBe('answered');
  seen.clear();
  await put('tokens', 'ledger=new');
  await expect.poll(() => seen.has('new')).toBe(true);
  const changedAt = answered;
  await expect.poll(() => answered).toBeGreaterThan(changedAt + 20);
  await put('digests', `gateway=${digestOf('new')}`);
  await expect.poll(() => codeOf(withToken('old').authenticate({}))).toBe(FailureCode.CALLER_UNAUTHENTICATED);
  isOver = true;
  await Promise.all(load);
  expect(answered).toBeGreaterThan(changedAt);
  await expect(withToken('old').authenticate({})).rejects.toMatchObject({ code: Code.Unauthenticated });
  await put('digests', 'half of');
  await client.authenticate({});
});
