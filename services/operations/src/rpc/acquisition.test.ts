import { AcquireStop } from '@ces/proto/ces/acquisition/v1/acquisition_service_pb.ts';
import { DemandClass } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import { Status } from '@ces/proto/ces/operations/v1/operations_pb.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { companyIds, outcomeOf } from '../../test-support/expect.ts';
import { callerOfAccount, Stack } from '../../test-support/stack.ts';

let stack: Stack;

beforeEach(async () => {
  stack = await Stack.forTest({ CES_ACQUISITION_ON_DEMAND: 'true' });
});
afterEach(async () => {
  await stack[Symbol.asyncDispose]();
});

const ALWAYS = ['limited_source_coverage', 'relevance_not_validated', 'lexical_only'];

function bring(stop: AcquireStop = AcquireStop.EXHAUSTED, failures: { source: string; reason: string }[] = []): void {
  stack.acquisition.answer = () => {
    stack.record.addCompany(8n, [DemandClass.EXPLICIT_REQUEST, DemandClass.PROXY]);
    stack.record.addCompany(9n);
    return { stop, failures, tx: 77n, freshObservationIds: [80n, 90n] };
  };
}

test('a shortlist that is short asks the sources, searches again and counts what is fresh', async () => {
  stack.record.addCompanies(2);
  bring();
  const answer = await stack.submit({ requestKey: 'k', input: { query: 'lock gates', limit: 10 } });
  expect(answer.usage.units).toMatchObject({ requestUnits: 1n, deliveredUnits: 4n, freshEvidenceUnits: 2n });
  const { coverage, ...result } = outcomeOf(answer, 'companySearch');
  expect(companyIds(result)).toEqual([1, 2, 8, 9]);
  expect(coverage).toMatchObject({ stopReason: 'sources_exhausted', limitations: ALWAYS });
  expect(stack.search.requests.map((request) => request.waitForTx)).toEqual([0n, 77n]);
  expect(stack.acquisition.requests).toEqual([
    expect.objectContaining({ operationId: answer.usage.id, fence: 1n, query: 'lock gates' }),
  ]);
  expect(stack.acquisition.requests[0]?.budgetMs).toBeLessThanOrEqual(4_000);
  const again = await stack.submit({ requestKey: 'k', input: { query: 'lock gates', limit: 10 } });
  expect(again.usage.units).toEqual(answer.usage.units);
  expect(stack.acquisition.requests).toHaveLength(1);
});

test('a full shortlist asks no source, nor do its later pages, and fresh observations are counted on their page', async () => {
  stack.record.addCompanies(3);
  bring();
  const first = await stack.submit({ requestKey: 'p1', input: { query: 'a', limit: 3, target: 5 } });
  expect(first.usage.units).toMatchObject({ deliveredUnits: 3n, freshEvidenceUnits: 0n });
  const { nextCursor: cursor = '' } = outcomeOf(first, 'companySearch');
  const second = await stack.submit({ requestKey: 'p2', input: { query: 'a', limit: 3, target: 5, cursor } });
  expect(companyIds(outcomeOf(second, 'companySearch'))).toEqual([8, 9]);
  expect(second.usage.units).toMatchObject({ deliveredUnits: 2n, freshEvidenceUnits: 2n });
  expect(stack.acquisition.requests).toHaveLength(1);
  const full = await stack.submit({ requestKey: 'full', input: { query: 'a', limit: 3 } });
  expect(outcomeOf(full, 'companySearch').coverage).toMatchObject({ stopReason: 'page_filled', limitations: ALWAYS });
  expect(stack.acquisition.requests).toHaveLength(1);
});

test.each<[string, AcquireStop, { source: string; reason: string }[], string, string[]]>([
  ['time is used up', AcquireStop.TIME, [{ source: 's', reason: 'r' }], 'time_budget_reached', ['source_unavailable']],
  ['budget is used up', AcquireStop.BUDGET, [], 'acquisition_budget_reached', []],
  [
    'source failed',
    AcquireStop.EXHAUSTED,
    [{ source: 's', reason: 'r' }],
    'source_unavailable',
    ['source_unavailable'],
  ],
  ['source is enabled', AcquireStop.DISABLED, [], 'sources_exhausted', ['acquisition_disabled']],
])('the answer says so when %s', async (_, stop, failures, stopReason, limitations) => {
  stack.record.addCompanies(1);
  stack.acquisition.answer = () => ({ stop, failures });
  const answer = await stack.submit({ requestKey: 'k', input: { query: 'a' } });
  const { coverage } = outcomeOf(answer, 'companySearch');
  expect(coverage?.stopReason).toBe(stopReason);
  expect([...(coverage?.limitations ?? [])].sort()).toEqual([...ALWAYS, ...limitations].sort());
  expect(stack.search.calls).toEqual(['planAndSearch']);
});

test('observations acquired within the time count, and reaching the target precedes every other reason', async () => {
  stack.record.addCompanies(2);
  bring(AcquireStop.TIME, [{ source: 'slow', reason: 'r' }]);
  const answer = await stack.submit({ requestKey: 'k', input: { query: 'a', limit: 4, target: 4 } });
  expect(outcomeOf(answer, 'companySearch').coverage?.stopReason).toBe('target_reached');
  expect(answer.usage.units).toMatchObject({ freshEvidenceUnits: 2n });
});

test('acquisition that breaks down costs the search nothing but a sentence', async () => {
  stack.record.addCompanies(1);
  stack.acquisition.answer = () => Promise.reject(new Error('a bug'));
  const answer = await stack.submit({ requestKey: 'k', input: { query: 'a' } });
  expect(answer.usage.status).toBe(Status.DELIVERED);
  expect(outcomeOf(answer, 'companySearch').coverage).toMatchObject({ stopReason: 'source_unavailable' });
});

test('a background search has a longer budget, whichever process runs it', async () => {
  stack.record.addCompanies(1);
  const { usage } = await stack.submit({ requestKey: 'k', input: { query: 'a' }, background: true });
  await stack.untilStatus(usage.id, Status.DELIVERED);
  expect(stack.acquisition.requests[0]?.budgetMs).toBeGreaterThan(50_000);
});

test('a test credential asks no source', async () => {
  stack.record.addCompanies(1);
  const caller = callerOfAccount(1n, { testMode: true });
  const answer = await stack.submit({ caller, requestKey: 'k', input: { query: 'a' } });
  expect(outcomeOf(answer, 'companySearch').coverage?.limitations).toContain('acquisition_disabled');
  expect(stack.acquisition.requests).toEqual([]);
});
