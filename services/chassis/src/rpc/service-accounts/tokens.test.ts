import { rename, rm, writeFile } from 'node:fs/promises';
import { LedgerService } from '@ces/proto/ces/ledger/v1/ledger_service_pb.ts';
import { MountedTokens, TestIssuer, type TokenClaims } from '@ces/test/support/issuer.ts';
import { base64url, CompactSign, importJWK, UnsecuredJWT } from 'jose';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { FailureCode, failureOf } from '../../failure.ts';
import { readSettings } from '../../settings.ts';
import { createLogger } from '../../telemetry/log.ts';
import { SERVICE_ACCOUNT_TOKEN_HEADER } from '../caller.ts';
import { acceptedTokenSettings, acceptedTokens, sha256 } from '../caller-tokens.ts';
import { createRpcClient } from '../client.ts';
import { type OutgoingTokens, outgoingTokenSettings, outgoingTokensFor } from '../outgoing-tokens.ts';
import { type RpcServer, startRpcServer } from '../server.ts';
import { acceptedServiceAccounts } from './accepted-accounts.ts';
import { serviceAccountSettings } from './settings.ts';

// Promise S16: services check ServiceAccount tokens with the issuer's keys.

const ACCOUNTS = 'gateway=ces:ces-gateway,operations=ces:ces-operations';
const SHARED = 'shared-token-of-gateway';
const settingsOfBoth = { ...serviceAccountSettings, ...acceptedTokenSettings };

class Ledger implements AsyncDisposable {
  readonly lines: string[] = [];
  readonly #held = new AsyncDisposableStack();
  #server!: RpcServer;

  static async start(env: Record<string, string>): Promise<Ledger> {
    const ledger = new Ledger();
    const settings = readSettings(settingsOfBoth, {
      CES_RPC_CALLER_DIGESTS: `gateway=${sha256(SHARED).toString('hex')}`,
      CES_RPC_SHARED_TOKENS: 'false',
      ...env,
    });
    const logger = createLogger('test', 'debug', { write: (line: string) => void ledger.lines.push(line) });
    const serviceAccounts = acceptedServiceAccounts(settings, logger);
    if (serviceAccounts) ledger.#held.use(serviceAccounts);
    ledger.#server = await startRpcServer({
      host: '127.0.0.1',
      port: 0,
      routes: (router) => router.service(LedgerService, { authenticate: () => ({}), settle: () => ({}) }),
      callers: { [LedgerService.typeName]: { Authenticate: ['gateway'], Settle: ['operations'] } },
      callerTokens: acceptedTokens(settings, settings.sharedTokens),
      serviceAccounts,
      logger,
    });
    ledger.#held.use(ledger.#server);
    return ledger;
  }

  client(shown: () => OutgoingTokens) {
    return createRpcClient(LedgerService, { url: this.#server.url, callerToken: shown, timeoutMs: 10_000 });
  }

  async call(
    serviceAccountToken: string | undefined,
    method: 'authenticate' | 'settle' = 'authenticate',
    callerToken?: string,
  ): Promise<FailureCode | 'answered' | undefined> {
    const client = this.client(() => ({ callerToken, serviceAccountToken }));
    return await client[method]({}).then(
      () => 'answered',
      (error: unknown) => failureOf(error)?.code,
    );
  }

  reasons(): string[] {
    return this.lines.flatMap((line) => (JSON.parse(line) as { reason?: string }).reason ?? []);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#held.disposeAsync();
  }
}

let issuer: TestIssuer;
let ledger: Ledger;

beforeAll(async () => {
  issuer = await TestIssuer.start();
  await issuer.addKey('elliptic', 'ES256');
  issuer.publish('first', 'elliptic');
  ledger = await Ledger.start(issuer.settings('ces-ledger', ACCOUNTS));
});
afterAll(async () => {
  await ledger[Symbol.asyncDispose]();
  await issuer[Symbol.asyncDispose]();
});

test.each(['first', 'elliptic'])(
  'a token opens what its account may call, and nothing else: signed by %s',
  async (key) => {
    const token = await issuer.token({ key });
    expect(await ledger.call(token)).toBe('answered');
    expect(await ledger.call(token)).toBe('answered');
    expect(await ledger.call(token, 'settle')).toBe(FailureCode.CALLER_NOT_ALLOWED);
    expect(await ledger.call(await issuer.token({ key, account: 'ces-operations' }), 'settle')).toBe('answered');
  },
);

const WRONG: Readonly<Record<string, readonly [TokenClaims, string]>> = {
  'for another service': [{ audience: 'ces-lookup' }, 'it is for "ces-lookup" and not for "ces-ledger"'],
  'for the API server': [{ audience: 'https://kubernetes.default.svc' }, 'and not for "ces-ledger"'],
  'for another service too': [{ audience: ['ces-ledger', 'ces-lookup'] }, 'it is for other programs too'],
  'for nobody': [{ audience: [] }, 'and not for "ces-ledger"'],
  'of another issuer with the same key': [{ issuer: 'https://elsewhere.example' }, 'its issuer is "https://elsewhere'],
  'of another account': [{ account: 'default' }, '"system:serviceaccount:ces:default" is no caller'],
  'of another namespace': [{ namespace: 'other' }, '"system:serviceaccount:other:ces-gateway" is no caller'],
  'of a user of that name': [{ subject: 'ces-gateway' }, '"ces-gateway" is no caller'],
  expired: [{ beginsIn: -700, endsIn: -11 }, 'it ended at '],
  'not yet valid': [{ beginsIn: 60 }, 'it begins at '],
};

test.each(Object.entries(WRONG))('a token %s is refused', async (_name, [claims, reason]) => {
  const token = await issuer.token(claims);
  expect(await ledger.call(token)).toBe(FailureCode.CALLER_UNAUTHENTICATED);
  expect(ledger.reasons().at(-1)).toContain(reason);
  expect(ledger.lines.join('')).not.toContain(token.slice(0, 100));
});

test.each(['exp', 'sub', 'aud', 'iss'])('a token without %s is refused', async (claim) => {
  const { payload } = parts(await issuer.token());
  const { [claim]: _, ...rest } = payload;
  expect(await ledger.call(await issuer.sign(rest, 'first'))).toBe(FailureCode.CALLER_UNAUTHENTICATED);
});

function parts(token: string) {
  const [header = '', payload = '', signature = ''] = token.split('.');
  const read = (part: string) =>
    JSON.parse(new TextDecoder().decode(base64url.decode(part))) as Record<string, unknown>;
  return { header: read(header), payload: read(payload), signature, text: { header, payload } };
}

const encoded = (value: unknown) => base64url.encode(JSON.stringify(value));

const FORGED: Readonly<Record<string, (good: string) => Promise<string> | string>> = {
  'without a signature (none)': (good) => {
    const { iss = '', ...payload } = parts(good).payload as Record<string, string>;
    return new UnsecuredJWT({ ...payload, iss }).encode();
  },
  'without a signature that says it has one': (good) => `${good.split('.').slice(0, 2).join('.')}.`,
  'signed by HS256 with the public key as the secret': async (good) => {
    const secret = new TextEncoder().encode(JSON.stringify(issuer.publicKey('first')));
    const payload = new TextEncoder().encode(JSON.stringify(parts(good).payload));
    return await new CompactSign(payload).setProtectedHeader({ alg: 'HS256', kid: 'first' }).sign(secret);
  },
  'with a key of its own in its head': async (good) => {
    const jwk = { kty: 'oct', k: base64url.encode('k'.repeat(32)) };
    const payload = new TextEncoder().encode(JSON.stringify(parts(good).payload));
    const header = { alg: 'HS256', kid: 'first', jwk };
    return await new CompactSign(payload).setProtectedHeader(header).sign(await importJWK(jwk, 'HS256'));
  },
  'whose account was changed': (good) => {
    const { payload, signature, text } = parts(good);
    const sub = 'system:serviceaccount:ces:ces-operations';
    return `${text.header}.${encoded({ ...payload, sub })}.${signature}`;
  },
  'that names another key': (good) => {
    const { header, signature, text } = parts(good);
    return `${encoded({ ...header, kid: 'elliptic' })}.${text.payload}.${signature}`;
  },
  'that names no key': (good) => {
    const { header, signature, text } = parts(good);
    return `${encoded({ alg: header.alg })}.${text.payload}.${signature}`;
  },
  'that is cut short': (good) => good.slice(0, -8),
  'of two parts': (good) => good.split('.').slice(0, 2).join('.'),
  'and another after it': (good) => `${good}, ${good}`,
  'that is the digest of a good one': (good) => sha256(good).toString('base64'),
  'that is empty': () => '',
  'that is no token': () => 'Bearer',
};

test.each(Object.keys(FORGED))('a token %s is refused', async (name) => {
  const good = await issuer.token({ key: 'first' });
  expect(await ledger.call(good)).toBe('answered');
  const forged = (await FORGED[name]?.(good)) ?? '';
  expect(await ledger.call(forged)).toBe(FailureCode.CALLER_UNAUTHENTICATED);
  expect(await ledger.call(forged, 'settle')).toBe(FailureCode.CALLER_UNAUTHENTICATED);
});

test('two tokens in two headers are refused, whatever they are', async () => {
  const [one, two] = [await issuer.token(), await issuer.token({ account: 'ces-operations' })];
  const client = ledger.client(() => ({ callerToken: undefined, serviceAccountToken: one }));
  const both = client.authenticate({}, { headers: { [SERVICE_ACCOUNT_TOKEN_HEADER]: two } });
  expect(failureOf(await both.catch((error: unknown) => error))?.code).toBe(FailureCode.CALLER_UNAUTHENTICATED);
});

test('a token that was verified expires at its end', async () => {
  const token = await issuer.token({ beginsIn: -600, endsIn: -8 });
  expect(await ledger.call(token)).toBe('answered');
  await expect.poll(() => ledger.call(token)).toBe(FailureCode.CALLER_UNAUTHENTICATED);
});

test('a shared token opens nothing where none is taken, and both go side by side where they are', async () => {
  const token = await issuer.token();
  expect(await ledger.call(undefined, 'authenticate', SHARED)).toBe(FailureCode.CALLER_UNAUTHENTICATED);
  expect(await ledger.call(token, 'authenticate', SHARED)).toBe('answered');
  const own = issuer.settings('ces-ledger', ACCOUNTS);
  await using both = await Ledger.start({ ...own, CES_RPC_SHARED_TOKENS: 'true' });
  const operations = await issuer.token({ account: 'ces-operations' });
  expect(await both.call(undefined, 'authenticate', SHARED)).toBe('answered');
  expect(await both.call(token, 'authenticate')).toBe('answered');
  expect(await both.call(token, 'authenticate', SHARED)).toBe('answered');
  expect(await both.call(await issuer.token({ endsIn: -60 }), 'authenticate', SHARED)).toBe('answered');
  expect(both.reasons().at(-1)).toContain('it ended at ');
  for (const method of ['authenticate', 'settle'] as const)
    expect(await both.call(operations, method, SHARED)).toBe(FailureCode.CALLER_UNAUTHENTICATED);
  await using before = await Ledger.start({ CES_RPC_SHARED_TOKENS: 'true' });
  expect(await before.call(token, 'authenticate', SHARED)).toBe('answered');
  expect(await before.call(token)).toBe(FailureCode.CALLER_UNAUTHENTICATED);
});

test('tokens and the keys of the issuer change under load, and no call fails', async () => {
  await using own = await TestIssuer.start();
  await using callee = await Ledger.start(own.settings('ces-ledger', ACCOUNTS));
  await using mounted = await MountedTokens.create({ ledger: await own.token() });
  const settings = readSettings(outgoingTokenSettings, { CES_RPC_SERVICE_ACCOUNT_TOKENS: mounted.folder });
  const client = callee.client(outgoingTokensFor(settings, 'ledger'));
  const failed: unknown[] = [];
  let answered = 0;
  let isOver = false;
  const callers = Array.from({ length: 4 }, async () => {
    while (!isOver)
      await client.authenticate({}).then(
        () => {
          answered += 1;
        },
        (error: unknown) => failed.push(error),
      );
  });
  /** Waits longer than callers use the last content of their token file. */
  const settled = async () => {
    const [target, began] = [answered + 50, performance.now()];
    await expect.poll(() => answered > target && performance.now() - began > 1_500).toBe(true);
  };
  await settled();
  await mounted.replace({ ledger: await own.token() });
  await settled();
  await own.addKey('second', 'ES256');
  own.publish('first', 'second');
  await mounted.replace({ ledger: await own.token({ key: 'second' }) });
  await settled();
  own.publish('second');
  await mounted.replace({ ledger: await own.token({ key: 'second' }) });
  await settled();
  await mounted.replace({ ledger: 'half of' });
  await settled();
  isOver = true;
  await Promise.all(callers);
  expect(failed).toEqual([]);
  expect(own.asked).toBeLessThan(5);
});

test('while the keys cannot be fetched known ones stay valid, and unknown ones cause a fetch only once in a while', async () => {
  await using own = await TestIssuer.start();
  await using callee = await Ledger.start(own.settings('ces-ledger', ACCOUNTS));
  const known = await own.token();
  expect(await callee.call(known)).toBe('answered');
  await own.addKey('unknown', 'RS256');
  own.answer = 'none';
  const before = own.asked;
  const unknown = await Promise.all(Array.from({ length: 50 }, () => own.token({ key: 'unknown' })));
  const began = performance.now();
  const calls = await Promise.all(unknown.map((token) => callee.call(token)));
  expect(new Set(calls)).toEqual(new Set([FailureCode.CALLER_UNAUTHENTICATED]));
  expect(own.asked - before).toBeGreaterThan(0);
  expect(own.asked - before).toBeLessThanOrEqual(1 + Math.floor((performance.now() - began) / 10_000));
  expect(callee.lines.filter((line) => line.includes('cannot be fetched; those known go on'))).toHaveLength(
    own.asked - before,
  );
  expect(callee.reasons()).toContain('its key is none of the issuer’s');
  expect(await callee.call(known)).toBe('answered');
  expect(await callee.call(await own.token({ key: 'first' }))).toBe('answered');
});

test.each([
  ['a set without keys', { status: 200, body: '{"keys":[]}' }],
  ['no JSON', { status: 200, body: 'keys' }],
  ['an error', { status: 500, body: '{"keys":[{}]}' }],
  ['more than any keys are', { status: 200, body: `{"keys":"${'k'.repeat(300_000)}"}` }],
] as const)('%s in place of keys changes nothing', async (_name, answer) => {
  await using own = await TestIssuer.start();
  await using callee = await Ledger.start(own.settings('ces-ledger', ACCOUNTS));
  expect(await callee.call(await own.token())).toBe('answered');
  own.answer = answer;
  await own.addKey('unknown', 'RS256');
  expect(await callee.call(await own.token({ key: 'unknown' }))).toBe(FailureCode.CALLER_UNAUTHENTICATED);
  expect(await callee.call(await own.token({ key: 'first' }))).toBe('answered');
});

test('a service starts while the issuer is away, and takes tokens once it is back', async () => {
  await using own = await TestIssuer.start();
  own.answer = 'none';
  await using callee = await Ledger.start(own.settings('ces-ledger', ACCOUNTS));
  const token = await own.token();
  await expect.poll(() => own.asked).toBe(1);
  own.answer = undefined;
  await expect.poll(() => callee.call(token)).toBe('answered');
});

test('keys come from the file: a removed key invalidates its tokens', async () => {
  await using own = await TestIssuer.start();
  const { env, file, folder } = await own.settingsOfFile('ces-ledger', ACCOUNTS);
  onTestFinished(() => rm(folder, { recursive: true }));
  const write = async (text: string) => {
    await writeFile(`${file}.new`, text);
    await rename(`${file}.new`, file);
  };
  await using callee = await Ledger.start(env);
  const old = await own.token();
  expect(await callee.call(old)).toBe('answered');
  await own.addKey('second', 'ES256');
  const next = await own.token({ key: 'second' });
  own.publish('first', 'second');
  await write(own.keySet());
  await expect.poll(() => callee.call(next)).toBe('answered');
  await write('half of');
  await expect.poll(() => callee.call(old)).toBe('answered');
  own.publish('second');
  await write(own.keySet());
  await expect.poll(() => callee.call(old)).toBe(FailureCode.CALLER_UNAUTHENTICATED);
  expect(await callee.call(next)).toBe('answered');
  expect(own.asked).toBe(0);
});

const USABLE = {
  CES_RPC_SERVICE_ACCOUNTS: ACCOUNTS,
  CES_RPC_SERVICE_ACCOUNT_ISSUER: 'https://issuer.example',
  CES_RPC_SERVICE_ACCOUNT_AUDIENCE: 'ces-ledger',
  CES_RPC_SERVICE_ACCOUNT_KEYS_FILE: '/nowhere/jwks.json',
};

test.each([
  [{}, '/nowhere/jwks.json (CES_RPC_SERVICE_ACCOUNT_KEYS_FILE): it is not there.'],
  [{ CES_RPC_SERVICE_ACCOUNT_ISSUER: '' }, 'needs CES_RPC_SERVICE_ACCOUNT_ISSUER'],
  [{ CES_RPC_SERVICE_ACCOUNT_AUDIENCE: '' }, 'needs CES_RPC_SERVICE_ACCOUNT_AUDIENCE'],
  [{ CES_RPC_SERVICE_ACCOUNT_KEYS_FILE: '' }, 'needs one of'],
  [{ CES_RPC_SERVICE_ACCOUNT_KEYS_URL: 'https://issuer.example/keys' }, 'needs one of'],
  [{ CES_RPC_SERVICE_ACCOUNT_KEYS_URL: 'http://issuer.example/keys' }, 'must be an address'],
  [{ CES_RPC_SERVICE_ACCOUNTS: 'gateway=ces-gateway' }, 'must be caller=namespace:name pairs'],
  [{ CES_RPC_SERVICE_ACCOUNTS: 'admin=ces:operators' }, 'must be caller=namespace:name pairs of programs'],
  [{ CES_RPC_SERVICE_ACCOUNTS: 'gateway=ces:one,operations=ces:one' }, 'must name no account twice'],
])('half a configuration is said at the start: %o', async (env, sentence) => {
  await expect(Ledger.start({ ...USABLE, ...env })).rejects.toThrow(sentence);
});

test('a program without any token for what it calls says so when it starts', async () => {
  await using mounted = await MountedTokens.create({ ledger: await issuer.token(), search: 'half of' });
  const settings = readSettings(outgoingTokenSettings, { CES_RPC_SERVICE_ACCOUNT_TOKENS: mounted.folder });
  expect(outgoingTokensFor(settings, 'ledger')()).toMatchObject({ callerToken: undefined });
  expect(() => outgoingTokensFor(settings, 'lookup')).toThrow('CES_RPC_TOKENS has no token for lookup');
  expect(() => outgoingTokensFor(settings, 'search')).toThrow('it holds no token of a ServiceAccount');
});
