import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectRefusal } from '../support/contract/interface.ts';
import { startTestStack, type TestStack } from '../support/stack.ts';
import { createSubscriber, type Subscriber } from '../support/subscriber.ts';

let stack: TestStack;
let subscriber: Subscriber;
let victim: Subscriber;

beforeAll(async () => {
  stack = await startTestStack();
  subscriber = await createSubscriber(stack);
  victim = await createSubscriber(stack);
});
afterAll(() => stack[Symbol.asyncDispose]());

/** Members with which a client might try to set its own identity or charge. */
const PROPERTIES = [
  'account_id',
  'accountId',
  'subscription_id',
  'plan',
  'usage',
  'request_units',
  'test_mode',
  '__proto__',
  'constructor',
];
const BODIES = [
  ['/api/companies/search', { query: 'a' }],
  ['/api/observations/search', { query: 'a' }],
  ['/api/usages', { query: 'a' }],
  ['/api/observations/lookup', { domains: ['a.example'], since: '2020-01-01T00:00:00Z' }],
  ['/api/diagnostics', {}],
] as const;

test.each(BODIES)('POST %s refuses unknown fields at any depth', async (path, body) => {
  for (const name of PROPERTIES) {
    const member = `${JSON.stringify(name)}: ${victim.accountId}`;
    const bodies = [withMember(body, member), withMember({ ...body, filters: {} }, member, '"filters":{')];
    for (const text of bodies) {
      const response = await fetch(new URL(path, stack.baseUrl), {
        method: 'POST',
        headers: {
          authorization: `Bearer ${subscriber.token}`,
          'content-type': 'application/json',
          'idempotency-key': randomUUID(),
        },
        body: text,
      });
      expect(response.status, text).toBe(422);
    }
  }
  const { operations } = await stack.operationsAdmin.listOperations({ accountId: subscriber.accountId, limit: 10 });
  expect(operations).toEqual([]);
});

function withMember(body: object, member: string, place = '{'): string {
  const text = JSON.stringify(body);
  const at = text.indexOf(place) + place.length;
  return `${text.slice(0, at)}${member}${text[at] === '}' ? '' : ','}${text.slice(at)}`;
}

test('headers that name another account are ignored', async () => {
  const headers = {
    'x-account-id': String(victim.accountId),
    'x-ces-caller-token': 'token-of-gateway',
    'x-forwarded-for': '192.0.2.1',
    'x-original-url': `/api/usages/1`,
    'x-http-method-override': 'DELETE',
  };
  await victim.lookUp({ domains: ['nobody.example'] });
  const { body } = await subscriber.request('GET', '/api/usage', { headers });
  expect(body.usage.request_units).toBe(0);
});

test('errors reveal no internals', async () => {
  const answers = await Promise.all([
    subscriber.request('GET', `/api/usages/${'9'.repeat(18)}`),
    subscriber.request('GET', "/api/usages/1'--"),
    subscriber.request('GET', '/api/companies?ids[]=%00', { key: randomUUID() }),
    subscriber.request('GET', `/api/companies/${2 ** 53}`, { key: randomUUID() }),
    subscriber.search({ query: '\u0000' }),
    subscriber.search({ query: 'a', cursor: "' or 1=1" }),
    subscriber.search({ query: "'; drop table operation; --" }),
    subscriber.request('PATCH', '/api/usage'),
  ]);
  for (const { status, body } of answers) {
    expect(status).toBeLessThan(500);
    const told = JSON.stringify(body);
    expect(told).not.toMatch(/select |insert |postgres|pg_|node_modules|\.ts\b|at \S+ \(|file:|ECONN|127\.0\.0\.1/i);
  }
  expectRefusal(answers.at(-1) as (typeof answers)[0], 405, 'method_not_allowed');
});
