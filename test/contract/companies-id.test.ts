import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { recordCatalogue } from '../support/contract/catalogue.ts';
import { expectBody, expectRefusal } from '../support/contract/interface.ts';
import type { Recorded } from '../support/record.ts';
import { startTestStack, type TestStack } from '../support/stack.ts';
import { createSubscriber, type Subscriber } from '../support/subscriber.ts';

let stack: TestStack;
let recorded: Recorded;
let subscriber: Subscriber;

beforeAll(async () => {
  stack = await startTestStack();
  recorded = await recordCatalogue(stack);
  subscriber = await createSubscriber(stack);
});
afterAll(() => stack[Symbol.asyncDispose]());

const get = (id: unknown, key: string = randomUUID()) => subscriber.request('GET', `/api/companies/${id}`, { key });

test('200 with {company: Company}, at most three current observations and the supported domains', async () => {
  const answer = await get(recorded.companies.maple);
  expectBody(answer, 200, 'CompanyDetail');
  expect(answer.body.company).toMatchObject({ id: recorded.companies.maple, name: 'Maple Cold Storage Ltd' });
  expect(answer.body.company.observations).toHaveLength(3);
  expect(answer.headers.get('units-settled')).toBe('request=1, delivered=1, fresh=0');
  expect(Number(answer.headers.get('usage-id'))).toBeGreaterThan(0);
});

test('the same key and identifier replay across its path and the list', async () => {
  const key = randomUUID();
  const one = await get(recorded.companies.prairie, key);
  const list = await subscriber.lookUp({ ids: [recorded.companies.prairie ?? 0] }, key);
  expect(list.headers.get('idempotent-replayed')).toBe('true');
  expect(list.headers.get('usage-id')).toBe(one.headers.get('usage-id'));
  expect(list.body.companies).toEqual([one.body.company]);
});

test('an unknown company is 404 company_not_found, settling one request unit and zero delivered units', async () => {
  for (const id of ['999999999', '9'.repeat(25)]) {
    const key = randomUUID();
    for (const replayed of [null, 'true']) {
      const answer = await get(id, key);
      expectBody(answer, 404, 'Error');
      expect(answer.body).toMatchObject({
        error: { code: 'company_not_found' },
        usage: { status: 'delivered', request_key: key, request_units: 1, delivered_units: 0 },
        request_allowance: { window_seconds: 18_000 },
      });
      expect(answer.headers.get('idempotent-replayed')).toBe(replayed);
    }
  }
});

test.each(['0', '-1', '01', '1.0', '1e3', '0x10', 'abc', '%20', '1%00'])('the id %j is invalid_search', async (id) => {
  expectRefusal(await get(id), 422, 'invalid_search');
});

test('it needs a key, and another identifier with the same key conflicts', async () => {
  expectRefusal(await subscriber.request('GET', '/api/companies/1'), 422, 'idempotency_key_required');
  const key = randomUUID();
  await get(recorded.companies.maple, key);
  expectRefusal(await get(recorded.companies.prairie, key), 422, 'idempotency_conflict');
});
