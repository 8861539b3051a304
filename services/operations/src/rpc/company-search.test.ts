import { DemandClass } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import { HoldState } from '@ces/proto/ces/ledger/v1/ledger_pb.ts';
import { Status } from '@ces/proto/ces/operations/v1/operations_pb.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { answerOf, callerOfAccount, Stack } from '../../test-support/stack.ts';

let stack: Stack;

beforeAll(async () => {
  stack = await Stack.start();
});
afterAll(async () => {
  await stack[Symbol.asyncDispose]();
});
beforeEach(() => stack.showDatabaseOnFailure());

const caller = callerOfAccount(1n);

test('a search settles one request unit and one unit a company, and a retry changes nothing', async () => {
  stack.record.addCompanies(30);
  const request = { caller, requestKey: 'first', input: { query: ' pumps  and valves', limit: 5 } };
  const first = answerOf(await stack.client().submitCompanySearch(request));
  expect(first.usage).toMatchObject({
    status: Status.DELIVERED,
    requestKey: 'first',
    units: { requestUnits: 1n, deliveredUnits: 5n, freshEvidenceUnits: 0n },
  });
  expect(first.replayed).toBe(false);
  if (first.outcome.case !== 'companySearch') throw new Error(`answered ${first.outcome.case}`);
  const result = first.outcome.value;
  expect(result.companies.map((match) => match.company?.id)).toEqual([1n, 2n, 3n, 4n, 5n]);
  expect(result.companies[0]).toMatchObject({ query: 'pumps and valves', demandClass: DemandClass.PROXY });
  expect(result).toMatchObject({
    withheldUnits: 0n,
    candidateLimit: 100,
    coverage: {
      requestedCompanies: 5,
      targetCompanies: 5,
      availableCompanies: 30,
      returnedCompanies: 5,
      stopReason: 'page_filled',
    },
  });
  const again = answerOf(await stack.client().submitCompanySearch(request));
  expect(again).toEqual({ ...first, replayed: true, allowance: again.allowance });
  expect(stack.ledger.count(HoldState.POSTED)).toBe(1);
});
