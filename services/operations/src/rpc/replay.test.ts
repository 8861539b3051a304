import { DemandClass } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { companyIds, outcomeOf } from '../../test-support/expect.ts';
import { Stack } from '../../test-support/stack.ts';

let stack: Stack;

beforeEach(async () => {
  stack = await Stack.forTest();
});
afterEach(async () => {
  await stack[Symbol.asyncDispose]();
});

test('withdrawn evidence drops out of replays, is counted as withheld, and restoring brings it back', async () => {
  stack.record.addCompany(1n, [DemandClass.EXPLICIT_REQUEST, DemandClass.PROXY]);
  stack.record.addCompanies(3);
  stack.record.addCompany(1n, [DemandClass.PROXY, DemandClass.EXPLICIT_REQUEST]);
  const request = { requestKey: 'k', input: { query: 'a' } };
  const first = await stack.submit(request);
  const before = outcomeOf(first, 'companySearch');
  expect(before.companies[0]).toMatchObject({ demandClass: DemandClass.EXPLICIT_REQUEST, whyItMayMatter: 'why 11' });
  stack.record.withdraw(20n);
  stack.record.withdraw(11n);
  const replay = await stack.submit(request);
  const after = outcomeOf(replay, 'companySearch');
  expect(companyIds(after)).toEqual([1, 3]);
  expect(after.companies[0]).toMatchObject({ demandClass: DemandClass.PROXY, whyItMayMatter: 'why 10' });
  expect(after).toMatchObject({ withheldUnits: 1n, asOf: before.asOf });
  expect(after.coverage).toMatchObject({ returnedCompanies: 2, availableCompanies: 3 });
  expect(after.coverage?.limitations).toContain('evidence_withdrawn');
  expect(replay.usage).toEqual(first.usage);
  stack.record.withdraw(20n, false);
  stack.record.withdraw(11n, false);
  expect(outcomeOf(await stack.poll(first.usage.id), 'companySearch')).toEqual(before);
});

test('the passing of time withholds no paid company', async () => {
  stack.record.addCompanies(2);
  const request = { requestKey: 'k', input: { query: 'a' } };
  await stack.submit(request);
  const observation = stack.record.observations.get(10n);
  if (observation) observation.expiresAt = new Date(Date.now() + 1);
  await expect.poll(() => Date.now() > Number(observation?.expiresAt)).toBe(true);
  expect(companyIds(outcomeOf(await stack.submit(request), 'companySearch'))).toEqual([1, 2]);
  expect(companyIds(outcomeOf(await stack.submit({ ...request, requestKey: 'new' }), 'companySearch'))).toEqual([2]);
});
