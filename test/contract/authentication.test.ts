import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectRefusal } from '../support/contract/interface.ts';
import { startTestStack, type TestStack } from '../support/stack.ts';
import { createSubscriber, surface } from '../support/subscriber.ts';

let stack: TestStack;

beforeAll(async () => {
  stack = await startTestStack({ env: { CES_ADDRESS_FAILURES_PER_SECOND: '1000' } });
});
afterAll(() => stack[Symbol.asyncDispose]());

const ROUTES = [
  ['POST', '/api/companies/search'],
  ['POST', '/api/observations/search'],
  ['POST', '/api/usages'],
  ['GET', '/api/usages/1'],
  ['GET', '/api/usages'],
  ['GET', '/api/companies'],
  ['GET', '/api/companies/1'],
  ['GET', '/api/observations'],
  ['POST', '/api/observations/lookup'],
  ['GET', '/api/observations/1'],
  ['GET', '/api/usage'],
  ['GET', '/api/usage/statement'],
  ['POST', '/api/diagnostics'],
] as const;

test.each(ROUTES)('%s %s needs a credential and a subscription', async (method, path) => {
  const unknown = await surface(stack.baseUrl, 'ces_live_unknown').request(method, path);
  expectRefusal(unknown, 401, 'invalid_api_key');
  expect(unknown.headers.get('www-authenticate')).toBe('Bearer');
  const unpaid = await createSubscriber(stack, { status: 'past_due' });
  expectRefusal(await unpaid.request(method, path), 402, 'subscription_required');
});

test.each(['active', 'trialing'])('a subscription that is %s is enough', async (status) => {
  expect((await (await createSubscriber(stack, { status })).report()).status).toBe(200);
});

test('missing, malformed, mistyped, unknown and revoked credentials get the same answer', async () => {
  const subscriber = await createSubscriber(stack);
  await stack.ledgerAdmin.revokeCredential({ credentialId: subscriber.credentialId });
  const flipped = subscriber.token.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a'));
  const headers = ['', 'Bearer', 'Basic eA==', 'Bearer nonsense', `Bearer ${flipped}`, `Bearer ${subscriber.token}`];
  const answers = await Promise.all(
    headers.map((authorization) => subscriber.request('GET', '/api/usage', { headers: { authorization } })),
  );
  for (const answer of answers) expectRefusal(answer, 401, 'invalid_api_key');
  expect(new Set(answers.map(({ body }) => JSON.stringify(body)))).toHaveProperty('size', 1);
});

test('the scheme is case-insensitive', async () => {
  const subscriber = await createSubscriber(stack);
  const headers = { authorization: `bEARER ${subscriber.token}` };
  expect((await subscriber.request('GET', '/api/usage', { headers })).status).toBe(200);
});

test('a call a second after a revocation is refused', async () => {
  const subscriber = await createSubscriber(stack);
  expect((await subscriber.report()).status).toBe(200);
  await stack.ledgerAdmin.revokeCredential({ credentialId: subscriber.credentialId });
  await pause(1_000);
  expect((await subscriber.report()).status).toBe(401);
});

test('rotation overlaps: successor and predecessor work until the old one is revoked', async () => {
  const subscriber = await createSubscriber(stack);
  const { token } = await stack.ledgerAdmin.rotateCredential({ credentialId: subscriber.credentialId });
  expect((await surface(stack.baseUrl, token).report()).status).toBe(200);
  expect((await subscriber.report()).status).toBe(200);
});
