import { FailureCode, fail } from '@ces/chassis/rpc/failure';
import { DemandClass, Kind } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import { HoldState } from '@ces/proto/ces/ledger/v1/ledger_pb.ts';
import { Status } from '@ces/proto/ces/operations/v1/operations_pb.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { codeOf, companyIds, gate, outcomeOf } from '../../test-support/expect.ts';
import { answerOf, callerOfAccount, Stack } from '../../test-support/stack.ts';

let stack: Stack;

beforeEach(async () => {
  stack = await Stack.forTest();
});
afterEach(async () => {
  await stack[Symbol.asyncDispose]();
});

const NO_UNITS = { requestUnits: 0n, deliveredUnits: 0n, freshEvidenceUnits: 0n };
const caller = callerOfAccount(1n);

test('a search settles one request unit and one unit a company, and a retry changes nothing', async () => {
  stack.record.addCompanies(30);
  const request = { requestKey: 'first', input: { query: ' pumps  and valves', limit: 5 } };
  const first = await stack.submit(request);
  expect(first).toMatchObject({ replayed: false, usage: { status: Status.DELIVERED, requestKey: 'first' } });
  expect(first.usage.units).toMatchObject({ requestUnits: 1n, deliveredUnits: 5n, freshEvidenceUnits: 0n });
  const result = outcomeOf(first, 'companySearch');
  expect(companyIds(result)).toEqual([1, 2, 3, 4, 5]);
  expect(result.companies[0]).toMatchObject({ query: 'pumps and valves', demandClass: DemandClass.PROXY });
  expect(result).toMatchObject({ withheldUnits: 0n, candidateLimit: 100 });
  expect(result.coverage).toMatchObject({
    requestedCompanies: 5,
    targetCompanies: 5,
    availableCompanies: 30,
    returnedCompanies: 5,
    stopReason: 'page_filled',
    limitations: ['limited_source_coverage', 'relevance_not_validated', 'lexical_only', 'acquisition_disabled'],
  });
  const again = await stack.submit({ ...request, background: true });
  const finished = { ...first, allowance: again.allowance, finishedAt: again.finishedAt };
  expect(again).toEqual({ ...finished, replayed: true });
  expect(await stack.poll(first.usage.id)).toEqual(finished);
  expect([stack.ledger.count(HoldState.POSTED), stack.ledger.postings.size]).toEqual([1, 1]);
  expect(stack.search.calls).toEqual(['planAndSearch']);
});

test('an answer says what the record does not hold, empty or not, and a retry says the same', async () => {
  stack.search.notRecorded = ['layoffs_not_recorded'];
  for (const planIsEmpty of [true, false]) {
    stack.search.planIsEmpty = planIsEmpty;
    const request = { requestKey: `held ${planIsEmpty}`, input: { query: 'layoffs' } };
    const first = outcomeOf(await stack.submit(request), 'companySearch');
    expect(first.coverage?.limitations.at(-1)).toBe('layoffs_not_recorded');
    stack.search.notRecorded = [];
    expect(outcomeOf(await stack.submit(request), 'companySearch').coverage).toEqual(first.coverage);
    stack.search.notRecorded = ['layoffs_not_recorded'];
  }
});

test('an answer says which condition of the query nothing meets', async () => {
  stack.search.notMet = ['place_not_met', 'time_not_met'];
  const first = outcomeOf(
    await stack.submit({ requestKey: 'unmet', input: { query: 'mills in Yukon' } }),
    'companySearch',
  );
  expect(first.coverage?.limitations.slice(-2)).toEqual(['place_not_met', 'time_not_met']);
  stack.search.notMet = [];
});

test('an answer says that the index has the newest months only, also when it is replayed', async () => {
  stack.search.monthsLeftOut = true;
  const request = { requestKey: 'months', input: { query: 'mills' } };
  const first = outcomeOf(await stack.submit(request), 'companySearch');
  expect(first.coverage?.limitations.at(-1)).toBe('kept_months');
  stack.search.monthsLeftOut = false;
  expect(outcomeOf(await stack.submit(request), 'companySearch').coverage).toEqual(first.coverage);
});

test('the default window is 30 days back at midnight UTC and frozen with the operation', async () => {
  stack.record.addCompanies(1);
  const first = await stack.submit({ requestKey: 'k', input: { query: 'a' } });
  const cutoff = outcomeOf(first, 'companySearch').coverage?.occurredAfter;
  const midnight = Math.floor(Date.now() / 86_400_000) * 86_400 - 30 * 86_400;
  expect(Number(cutoff?.seconds)).toBe(midnight);
  const [request] = stack.search.requests;
  expect(request?.filters?.occurredAfter).toEqual(cutoff);
  expect(request?.filters).not.toHaveProperty('profileOccurredAfter');
  expect(request?.filters?.kinds).not.toContain(Kind.COMPANY_PROFILE);
  expect(request).toMatchObject({ candidateLimit: 100, maxCompanies: 100 });
  await stack.db.query(`update operation set created_at = created_at - interval '25 hours'`);
  expect(
    outcomeOf(await stack.submit({ requestKey: 'k', input: { query: 'a' } }), 'companySearch').coverage,
  ).toMatchObject({
    occurredAfter: cutoff,
  });
});

test('a background search answers at once and is delivered to a poll', async () => {
  stack.record.addCompanies(3);
  const { passed, open } = gate();
  stack.search.before = () => passed;
  const request = { requestKey: 'bg', input: { query: 'a' } };
  const pending = await stack.submit({ ...request, background: true });
  expect(pending).toMatchObject({ outcome: { case: 'pending' }, replayed: false });
  expect(pending.usage.units).toMatchObject(NO_UNITS);
  await expect.poll(async () => (await stack.poll(pending.usage.id)).usage.status).toBe(Status.PROCESSING);
  open();
  const result = await stack.untilStatus(pending.usage.id, Status.DELIVERED);
  expect(companyIds(outcomeOf(result, 'companySearch'))).toEqual([1, 2, 3]);
  expect((await stack.submit(request)).usage).toEqual(result.usage);
  expect(stack.ledger.count(HoldState.POSTED)).toBe(1);
});

test('a call waits as long as it may and leaves the search to go on', async () => {
  stack.record.addCompanies(3);
  const { passed, open } = gate();
  stack.search.before = () => passed;
  const request = { requestKey: 'slow', input: { query: 'a' } };
  const pending = await stack.submit({ ...request, waitMs: 30 });
  expect(pending).toMatchObject({ outcome: { case: 'pending' }, usage: { status: Status.PROCESSING } });
  const waiting = stack.submit(request);
  open();
  expect(await waiting).toMatchObject({ replayed: true, usage: { id: pending.usage.id, status: Status.DELIVERED } });
});

test('a call with until_waiting is answered once it would only wait, and a call without it waits', async () => {
  stack.record.addCompanies(3);
  const { passed, open } = gate();
  stack.search.before = () => passed;
  const client = stack.client();
  const request = { caller: callerOfAccount(), requestKey: 'told', input: { query: 'a' } };
  const running = client.submitCompanySearch({ ...request, background: true });
  const first = answerOf(await running);
  expect(await running).toMatchObject({ waiting: false });
  const submitted = await client.submitCompanySearch({ ...request, untilWaiting: true });
  expect(submitted).toMatchObject({ waiting: true, answer: { outcome: { case: 'pending' }, replayed: true } });
  const operationId = first.usage.id;
  const waitedLong = await client.getOperation({ caller: request.caller, operationId, waitedMs: 25_000 });
  expect(waitedLong.answer?.outcome.case).toBe('pending');
  const ended = client.getOperation({ caller: request.caller, operationId, waitedMs: 10 });
  open();
  expect(answerOf(await ended)).toMatchObject({ outcome: { case: 'companySearch' }, usage: { id: operationId } });
  const later = await client.submitCompanySearch({ ...request, untilWaiting: true });
  expect(later).toMatchObject({ waiting: false, answer: { outcome: { case: 'companySearch' } } });
});

test('a request key names one operation of an account and an action, and other inputs conflict', async () => {
  stack.record.addCompanies(3);
  const request = { requestKey: 'k', input: { query: 'a' } };
  const first = await stack.submit(request);
  for (const input of [{ query: 'b' }, { query: 'a', limit: 10 }, { query: 'A' }])
    expect(await codeOf(stack.submit({ ...request, input }))).toBe(FailureCode.IDEMPOTENCY_CONFLICT);
  const other = await stack.submit({ ...request, caller: callerOfAccount(2n) });
  expect(other).toMatchObject({ replayed: false });
  expect(other.usage.id).not.toBe(first.usage.id);
  const lookup = answerOf(await stack.client().submitCompanyLookup({ caller, requestKey: 'k', input: { ids: [1n] } }));
  expect(lookup).toMatchObject({ replayed: false });
  expect(await codeOf(stack.client().getOperation({ caller, operationId: other.usage.id }))).toBe(
    FailureCode.USAGE_NOT_FOUND,
  );
});

test('nothing to search for is an empty result that settles one request unit', async () => {
  stack.record.addCompanies(3);
  const filters = { kinds: ['company_profile'], demandClasses: ['proxy'] };
  const excluded = await stack.submit({ requestKey: 'kinds', input: { query: 'a', filters } });
  expect(stack.search.calls).toEqual([]);
  stack.search.planIsEmpty = true;
  const empty = await stack.submit({ requestKey: 'stop words', input: { query: 'the of' } });
  expect(stack.search.calls).toEqual(['planAndSearch']);
  for (const answer of [excluded, empty]) {
    expect(answer.usage.units).toMatchObject({ requestUnits: 1n, deliveredUnits: 0n });
    expect(outcomeOf(answer, 'companySearch').coverage).toMatchObject({
      availableCompanies: 0,
      stopReason: 'sources_exhausted',
    });
  }
});

test('a search that cannot be prepared is stored, gives its hold back and replays', async () => {
  stack.search.before = () => {
    throw fail(FailureCode.PLANNING_UNAVAILABLE, 'The planner does not answer.');
  };
  const request = { requestKey: 'k', input: { query: 'a' } };
  const failed = await stack.submit(request);
  expect(failed.usage).toMatchObject({ status: Status.FAILED });
  expect(failed.usage.units).toMatchObject(NO_UNITS);
  expect(outcomeOf(failed, 'failed')).toMatchObject({ code: FailureCode.PLANNING_UNAVAILABLE });
  expect(stack.ledger.count(HoldState.VOID)).toBe(1);
  stack.search.before = () => undefined;
  const again = await stack.submit(request);
  expect(again).toEqual({ ...failed, replayed: true, allowance: again.allowance, finishedAt: again.finishedAt });
  expect(await codeOf(stack.submit({ ...request, input: { query: 'b' } }))).toBe(FailureCode.IDEMPOTENCY_CONFLICT);
});

test('a bug of a peer fails the operation without its text', async () => {
  stack.search.before = () => {
    throw new Error('select secret from table');
  };
  const failed = outcomeOf(await stack.submit({ requestKey: 'k', input: { query: 'a' } }), 'failed');
  expect(failed.code).toBe(FailureCode.SEARCH_FAILED);
  expect(failed.message).not.toContain('secret');
});

test('too little allowance leaves no operation and the request key free', async () => {
  stack.record.addCompanies(3);
  stack.ledger.deliveredLimit = 5n;
  const request = { requestKey: 'k', input: { query: 'a', limit: 6 } };
  expect(await codeOf(stack.submit(request))).toBe(FailureCode.REQUEST_LIMIT_REACHED);
  expect(await codeOf(stack.submit({ ...request, background: true }))).toBe(FailureCode.REQUEST_LIMIT_REACHED);
  expect(await stack.countOperations()).toBe(0);
  expect(await stack.submit({ ...request, input: { query: 'a', limit: 5 } })).toMatchObject({ replayed: false });
  expect(await codeOf(stack.submit({ requestKey: 'more', input: { query: 'a', limit: 3 } }))).toBe(
    FailureCode.REQUEST_LIMIT_REACHED,
  );
});

test('ids of a filter are mapped to canonical companies before the search', async () => {
  stack.record.addCompanies(4);
  stack.record.canonicalIds.set(3n, 1n);
  const filters = { companyIds: [3n, 1n, 2n], excludeCompanyIds: [3n] };
  await stack.submit({ requestKey: 'k', input: { query: 'a', filters } });
  expect(stack.search.requests[0]?.filters).toMatchObject({ companyIds: [1n, 2n], excludeCompanyIds: [1n] });
});
