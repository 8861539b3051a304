import { CesClient, type CompanySearchInput, type Operation, type Price, priceOf } from '@ces/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { facilities, recordEvidence } from '../support/record.ts';
import { startTestStack, type TestStack } from '../support/stack.ts';
import { createSubscriber, type SubscriberOptions } from '../support/subscriber.ts';

let stack: TestStack;

beforeAll(async () => {
  stack = await startTestStack();
  const { companies, observations } = facilities(8, 'battery plant');
  await recordEvidence(stack, companies, observations);
});
afterAll(() => stack[Symbol.asyncDispose]());

const query = 'battery plant';

async function createClient(options: SubscriberOptions = {}): Promise<CesClient> {
  const { token } = await createSubscriber(stack, { plan: 'builder', ...options });
  return new CesClient({ baseUrl: stack.baseUrl, apiKey: token });
}

/**
 * Expects that a call is admitted if exactly its price is left after `before`, and refused with one
 * unit less.
 */
async function expectAdmittedAt(
  price: Price,
  call: (ces: CesClient) => Promise<Operation<unknown>>,
  before: Price = priceOf.diagnostic(),
): Promise<void> {
  const clientWith = (requestUnits: number, deliveredUnits: number) =>
    createClient({ limits: { windowRequestUnits: requestUnits, windowDeliveredUnits: deliveredUnits } });
  const requestUnits = before.requestUnits + price.requestUnits;
  const deliveredUnits = before.deliveredUnits + price.deliveredUnits;
  const admitted = await call(await clientWith(requestUnits, deliveredUnits));
  await admitted.done();
  expect(admitted.units?.request).toBe(price.requestUnits);
  expect(admitted.units?.delivered).toBeLessThanOrEqual(price.deliveredUnits);
  for (const poorer of [clientWith(requestUnits - 1, deliveredUnits), clientWith(requestUnits, deliveredUnits - 1)]) {
    const refused = await call(await poorer);
    await expect(refused.done()).rejects.toMatchObject({ code: 'request_limit_reached' });
  }
}

test.each<[string, Partial<CompanySearchInput>]>([
  ['a page by its limit', { limit: 7 }],
  ['a page without a limit', {}],
  ['a page without a limit and a small target', { target: 4 }],
  ['a page without a limit and a large target', { target: 40 }],
  ['a page with both', { limit: 3, target: 40 }],
])('the price of %s is what admission asks for', async (_, input) => {
  await expectAdmittedAt(priceOf.search(input), async (ces) => ces.searchCompanies({ query, ...input }));
});

test.each([3, 5])('the price of a later page of at most %i is what admission asks for', async (limit) => {
  const search = { query, limit };
  const first = await (await createClient()).searchCompanies(search).done();
  const { available_companies: available = 0, returned_companies: returned } = first.coverage;
  const price = priceOf.search({ limit, available, returned });
  expect(price).toEqual({ requestUnits: 1, deliveredUnits: 3 });
  const later = async (ces: CesClient) => {
    const { next_cursor } = await ces.searchCompanies(search).done();
    return ces.searchCompanies({ ...search, cursor: next_cursor ?? '' });
  };
  await expectAdmittedAt(price, later, { requestUnits: 1, deliveredUnits: returned });
});

test('a search holds its price while it runs', async () => {
  const ces = await createClient({ testMode: true });
  const input = { query: 'sandbox:slow', limit: 9 };
  await ces.searchCompanies(input, { background: true }).submit();
  const { requestUnits, deliveredUnits } = priceOf.search(input);
  const { reservations } = await ces.getUsage();
  expect(reservations).toEqual({ request_units: requestUnits, delivered_units: deliveredUnits });
});

test.each<[string, Parameters<typeof priceOf.companyLookup>[0], number]>([
  ['ids, each counted once', { ids: [1, 2, 2, 999_999] }, 3],
  [
    'hostnames, each counted once however it is spelled',
    { domains: ['Northwind1.example', ' northwind1.example. ', 'bücher.example', 'xn--bcher-kva.example'] },
    2,
  ],
])('the price of a look-up of %s, is what admission asks for', async (_, input, deliveredUnits) => {
  const price = priceOf.companyLookup(input);
  expect(price.deliveredUnits).toBe(deliveredUnits);
  await expectAdmittedAt(price, async (ces) => ces.lookUpCompanies(input));
});

test('the price of an observation look-up is what admission asks for', async () => {
  const input = { domains: ['northwind1.example', 'NORTHWIND1.example', 'nobody.example'], since: new Date(0) };
  const price = priceOf.observationLookup(input);
  expect(price.deliveredUnits).toBe(2);
  await expectAdmittedAt(price, async (ces) => ces.lookUpObservations(input));
});

test('a diagnostic costs nothing', async () => {
  const ces = await createClient();
  const diagnostic = ces.diagnose();
  await diagnostic.done();
  expect(priceOf.diagnostic()).toEqual({ requestUnits: 0, deliveredUnits: 0 });
  expect(diagnostic.units).toEqual({ request: 0, delivered: 0, fresh: 0 });
});
