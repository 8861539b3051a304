import { generateSecrets, secretFiles } from '@ces/chart/secrets';
import { SERVICES, type ServiceName } from '@ces/topology/services';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestStack, type TestStack } from '../../support/stack.ts';
import { someOf } from '../../support/volume.ts';
import { type Caller, METHODS, opens, serviceOf } from './doors.ts';

// What the Secret of each pod opens, on services that run with their own Secrets (promise S16).

const ABOUT_TOKENS = ['CES_RPC_TOKENS', 'CES_RPC_CALLER_DIGESTS', 'CES_RPC_OPERATORS'];

const files = secretFiles(generateSecrets(), () => 'postgres.example:5432', 'alice');

function secretOf(name: string): Readonly<Record<string, string>> {
  const all = Object.entries(files.get(name) ?? {});
  return Object.fromEntries(all.filter(([setting]) => ABOUT_TOKENS.includes(setting)));
}

function tokensIn(name: ServiceName): Map<string, string> {
  const pairs = (secretOf(name).CES_RPC_TOKENS ?? '').split(',').filter(Boolean);
  return new Map(pairs.map((pair) => pair.split('=') as [string, string]));
}

let stack: TestStack;

beforeAll(async () => {
  const own = (name: string) => ({ CES_RPC_TOKENS: '', CES_RPC_CALLER_DIGESTS: '', ...secretOf(name) });
  stack = await startTestStack({ acquisition: {}, own });
});
afterAll(() => stack[Symbol.asyncDispose]());

test.each(someOf(METHODS, 16).map(([service, method, door]) => [service, method.name, method, door] as const))(
  '%s/%s is opened by the tokens of those who need it, each by its own for this service',
  async (_service, _name, method, door) => {
    const url = stack.environmentOf('gateway')[door.address] ?? '';
    const allowed: readonly Caller[] = door.but?.[method.name] ?? door.usually;
    for (const { name } of SERVICES)
      for (const [callee, token] of tokensIn(name)) {
        const expected = callee === serviceOf(door) && allowed.includes(name as Caller);
        expect([name, callee, await opens(url, token, method, door)]).toEqual([name, callee, expected]);
      }
    for (const { digest } of digestsAnywhere())
      expect([digest, await opens(url, digest, method, door)]).toEqual([digest, false]);
  },
);

function digestsAnywhere(): { digest: string }[] {
  return SERVICES.flatMap(({ name }) =>
    (secretOf(name).CES_RPC_CALLER_DIGESTS ?? '')
      .split(',')
      .filter(Boolean)
      .map((pair) => ({ digest: pair.split('=')[1] ?? '' })),
  );
}
