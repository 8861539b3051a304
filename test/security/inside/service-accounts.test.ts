import { hash } from 'node:crypto';
import { SERVICES, type ServiceName } from '@ces/topology/services';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MountedTokens, TestIssuer } from '../../support/issuer.ts';
import { startTestStack, type TestStack } from '../../support/stack.ts';
import { createSubscriber } from '../../support/subscriber.ts';
import { someOf } from '../../support/volume.ts';
import { type Caller, METHODS, opens, serviceOf } from './doors.ts';

// What the ServiceAccount tokens of each pod open, on services that accept no other tokens (promise
// S16).

const cleanup = new AsyncDisposableStack();
let issuer: TestIssuer;
let stack: TestStack;
/** Projected tokens of each pod, by audience service. */
const mounted = new Map<ServiceName, ReadonlyMap<string, string>>();

beforeAll(async () => {
  issuer = cleanup.use(await TestIssuer.start());
  const folders = new Map<string, string>();
  for (const { name, calls } of SERVICES) {
    const tokens = new Map<string, string>();
    for (const callee of calls) tokens.set(callee, await tokenOf(name, `ces-${callee}`));
    mounted.set(name, tokens);
    folders.set(name, cleanup.use(await MountedTokens.create(Object.fromEntries(tokens))).folder);
  }
  const own = (name: string) => ({
    ...{
      CES_RPC_TOKENS: '',
      CES_RPC_CALLER_DIGESTS: '',
      CES_RPC_SHARED_TOKENS: 'false',
      CES_RPC_INTROSPECTION: 'false',
    },
    CES_RPC_OPERATORS: `admin:operator=${hash('sha256', 'token-of-admin')}`,
    CES_RPC_SERVICE_ACCOUNT_TOKENS: folders.get(name) ?? '',
    ...issuer.settings(`ces-${name}`, callersOf(name)),
  });
  stack = cleanup.use(await startTestStack({ acquisition: {}, own }));
});
afterAll(() => cleanup.disposeAsync());

function callersOf(name: string): string {
  const callers = SERVICES.filter(({ calls }) => (calls as readonly string[]).includes(name));
  return callers.map((caller) => `${caller.name}=ces:ces-${caller.name}`).join(',');
}

async function tokenOf(name: string, audience: string): Promise<string> {
  return await issuer.token({ account: `ces-${name}`, audience: [audience] });
}

const showing = (serviceAccountToken: string) => () => ({ callerToken: undefined, serviceAccountToken });

test('a stack works with only tokens of ServiceAccounts', async () => {
  const subscriber = await createSubscriber(stack);
  const { status, body } = await subscriber.search({ query: 'bakery' });
  expect([status, body.usage.status]).toEqual([200, 'delivered']);
  await stack.untilIndexed();
});

test.each(someOf(METHODS, 16).map(([service, method, door]) => [service, method.name, method, door] as const))(
  '%s/%s is opened by the tokens of those who need it, each by its own for this service',
  async (_service, _name, method, door) => {
    const url = stack.environmentOf('gateway')[door.address] ?? '';
    const isOpen = door.usually.includes('anyone') && !door.but?.[method.name];
    const allowed: readonly Caller[] = door.but?.[method.name] ?? door.usually;
    for (const { name } of SERVICES) {
      for (const [callee, token] of mounted.get(name) ?? []) {
        const expected = callee === serviceOf(door) && (isOpen || allowed.includes(name as Caller));
        expect([name, callee, await opens(url, showing(token), method, door)]).toEqual([name, callee, expected]);
      }
      const ofApiServer = await tokenOf(name, issuer.name);
      expect([name, await opens(url, showing(ofApiServer), method, door)]).toEqual([name, false]);
    }
  },
);

test('the pod that reads what strangers write has nothing that the ledger knows', async () => {
  const ledger = METHODS.filter(([, , door]) => serviceOf(door) === 'ledger');
  expect(ledger.map(([, { name }]) => name)).toEqual(
    expect.arrayContaining(['Settle', 'Release', 'IssueCredential', 'CreateAccount']),
  );
  const url = stack.environmentOf('gateway').CES_LEDGER_URL ?? '';
  // Includes a token that the kubelet does not mount: a ServiceAccount may not request arbitrary
  // audiences.
  const tokens = [...(mounted.get('acquisition') ?? []).values(), await tokenOf('acquisition', 'ces-ledger')];
  for (const [, method, door] of ledger)
    for (const token of tokens)
      expect([method.name, await opens(url, showing(token), method, door)]).toEqual([method.name, false]);
});
