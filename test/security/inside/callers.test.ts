import type { DescMethod } from '@bufbuild/protobuf';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectRefusal } from '../../support/contract/interface.ts';
import { startTestStack, type TestStack } from '../../support/stack.ts';
import { createSubscriber } from '../../support/subscriber.ts';
import { CALLERS, type Caller, DOORS, type Door, METHODS, opens } from './doors.ts';

let stack: TestStack;

beforeAll(async () => {
  stack = await startTestStack({ acquisition: {} });
});
afterAll(() => stack[Symbol.asyncDispose]());

test.each(METHODS.map(([service, method, door]) => [service, method.name, method, door] as const))(
  '%s/%s lets in exactly those who need it',
  async (_service, _name, method, door) => {
    const letIn = await Promise.all(
      CALLERS.map(async (caller) => ((await isLetIn(caller, method, door)) ? [caller] : [])),
    );
    expect(letIn.flat().sort()).toEqual([...(door.but?.[method.name] ?? door.usually)].sort());
    expect(await isLetIn('a guess', method, door)).toBe(false);
  },
);

test('no method of any service can be reached through the gateway', async () => {
  const subscriber = await createSubscriber(stack);
  for (const { service } of DOORS)
    for (const { name } of service.methods) {
      const path = `/${service.typeName}/${name}`;
      expectRefusal(await subscriber.request('POST', path, { json: {} }), 404, 'not_found');
    }
});

test('the probes, metrics and RPC of a process are not on the public port', async () => {
  const subscriber = await createSubscriber(stack);
  for (const path of [
    '/livez',
    '/readyz',
    '/startupz',
    '/metrics',
    '/debug',
    '/admin',
    '/.env',
    '/api',
    '/api/accounts',
  ])
    expectRefusal(await subscriber.request('GET', path), 404, 'not_found');
});

async function isLetIn(caller: Caller | 'a guess', method: DescMethod, door: Door): Promise<boolean> {
  const token = caller === 'anyone' ? undefined : `token-of-${caller}`;
  return await opens(stack.environmentOf('gateway')[door.address] ?? '', token, method, door);
}
