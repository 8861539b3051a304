import type { MessageInitShape } from '@bufbuild/protobuf';
import { FailureCode, fail } from '@ces/chassis/failure';
import { DemandClass, Kind } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import { HoldState } from '@ces/proto/ces/ledger/v1/ledger_pb.ts';
import { type CompanySearchInputSchema, Status } from '@ces/proto/ces/operations/v1/operations_pb.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { codeOf, companyIds, gate, outcomeOf } from '../../test-support/expect.ts';
import { answerOf, callerOfAccount, Stack } from '../../test-support/stack.ts';

let stack: Stack;
let submit: (call: Call) => Promise<Answer>;
let poll: (operationId: bigint) => Promise<Answer>;
type Answer = ReturnType<typeof answerOf>;

interface Call {
  readonly caller?: ReturnType<typeof callerOfAccount>;
  readonly requestKey: string;
  readonly input: MessageInitShape<typeof CompanySearchInputSchema>;
  readonly background?: boolean;
  readonly waitMs?: number;
}

beforeEach(async () => {
  stack = await Stack.start();
  stack.showDatabaseOnFailure();
  const client = stack.client();
  submit = async (call) => answerOf(await client.submitCompanySearch({ caller, ...call }));
  poll = async (operationId) => answerOf(await client.getOperation({ caller, operationId }));
});
afterEach(async () => {
  await stack[Symbol.asyncDispose]();
});

const caller = callerOfAccount(1n);
const NO_UNITS = { requestUnits: 0n, deliveredUnits: 0n, freshEvidenceUnits: 0n };

async function countOperations(): Promise<number> {
  const { rows } = await stack.db.query<{ count: bigint }>('select count(*) from operation');
  return Number(rows[0]?.count);
}

async function delivered(id: bigint): Promise<Answer> {
  return await expect
    .poll(async () => await poll(id), { timeout: 10_000, interval: 20 })
    .toMatchObject({ usage: { status: Status.DELIVERED } })
    .then(() => poll(id));
}

test('a search settles one request unit and one unit a company, and a retry changes nothing', async () => {
  stack.record.addCompanies(30);
  const request = { requestKey: 'first', input: { query: ' pumps  and valves', limit: 5 } };
  const first = await submit(request);
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
  const again = await submit({ ...request, background: true });
  expect(again).toEqual({ ...first, replayed: true, allowance: again.allowance });
  expect(await poll(first.usage.id)).toEqual({ ...first, allowance: again.allowance });
  expect([stack.ledger.count(HoldState.POSTED), stack.ledger.movements.size]).toEqual([1, 1]);
  expect(stack.search.calls).toEqual(['plan', 'search']);
});

test('the default window is 30 days back at midnight UTC and frozen with the operation', async () => {
  stack.record.addCompanies(1);
  const first = await submit({ requestKey: 'k', input: { query: 'a' } });
  const cutoff = outcomeOf(first, 'companySearch').coverage?.occurredAfter;
  const midnight = Math.floor(Date.now() / 86_400_000) * 86_400 - 30 * 86_400;
  expect(Number(cutoff?.seconds)).toBe(midnight);
  const [request] = stack.search.requests;
  expect(request?.filters?.occurredAfter).toEqual(cutoff);
  expect(request?.filters).not.toHaveProperty('profileOccurredAfter');
  expect(request?.filters?.kinds).not.toContain(Kind.COMPANY_PROFILE);
  expect(request).toMatchObject({ candidateLimit: 100, maxCompanies: 100 });
  await stack.db.query(`update operation set created_at = created_at - interval '25 hours'`);
  expect(outcomeOf(await submit({ requestKey: 'k', input: { query: 'a' } }), 'companySearch').coverage).toMatchObject({
    occurredAfter: cutoff,
  });
});

test('a background search answers at once and is delivered to whoever polls', async () => {
  stack.record.addCompanies(3);
  const { passed, open } = gate();
  stack.search.before = () => passed;
  const request = { requestKey: 'bg', input: { query: 'a' } };
  const pending = await submit({ ...request, background: true });
  expect(pending).toMatchObject({ outcome: { case: 'pending' }, replayed: false });
  expect(pending.usage.units).toMatchObject(NO_UNITS);
  await expect.poll(async () => (await poll(pending.usage.id)).usage.status).toBe(Status.PROCESSING);
  open();
  const result = await delivered(pending.usage.id);
  expect(companyIds(outcomeOf(result, 'companySearch'))).toEqual([1, 2, 3]);
  expect((await submit(request)).usage).toEqual(result.usage);
  expect(stack.ledger.count(HoldState.POSTED)).toBe(1);
});

test('a call waits as long as it may and leaves the search to go on', async () => {
  stack.record.addCompanies(3);
  const { passed, open } = gate();
  stack.search.before = () => passed;
  const request = { requestKey: 'slow', input: { query: 'a' } };
  const pending = await submit({ ...request, waitMs: 30 });
  expect(pending).toMatchObject({ outcome: { case: 'pending' }, usage: { status: Status.PROCESSING } });
  const waiting = submit(request);
  open();
  expect(await waiting).toMatchObject({ replayed: true, usage: { id: pending.usage.id, status: Status.DELIVERED } });
});

test('a key names one operation of an account and an action, and other inputs conflict', async () => {
  stack.record.addCompanies(3);
  const request = { requestKey: 'k', input: { query: 'a' } };
  const first = await submit(request);
  for (const input of [{ query: 'b' }, { query: 'a', limit: 10 }, { query: 'A' }])
    expect(await codeOf(submit({ ...request, input }))).toBe(FailureCode.IDEMPOTENCY_CONFLICT);
  const other = await submit({ ...request, caller: callerOfAccount(2n) });
  expect(other).toMatchObject({ replayed: false });
  expect(other.usage.id).not.toBe(first.usage.id);
  const lookup = answerOf(await stack.client().submitCompanyLookup({ caller, requestKey: 'k', input: { ids: [1n] } }));
  expect(lookup).toMatchObject({ replayed: false });
  expect(await codeOf(stack.client().getOperation({ caller, operationId: other.usage.id }))).toBe(
    FailureCode.USAGE_NOT_FOUND,
  );
});

test('pages partition the shortlist, cost one by one, and plan and rank nothing', async () => {
  stack.record.addCompanies(23);
  const input = { query: 'a', limit: 10, target: 23 };
  const first = outcomeOf(await submit({ requestKey: 'p1', input }), 'companySearch');
  expect(first.coverage).toMatchObject({ stopReason: 'target_reached', targetCompanies: 23, availableCompanies: 23 });
  expect(first.candidateLimit).toBe(100);
  const second = outcomeOf(
    await submit({ requestKey: 'p2', input: { ...input, cursor: first.nextCursor } }),
    'companySearch',
  );
  expect(second.coverage).toMatchObject({
    ...first.coverage,
    stopReason: 'shortlist_page',
    returnedCompanies: 10,
  });
  expect(second).toMatchObject({ asOf: first.asOf, candidateLimit: 100 });
  const last = await submit({ requestKey: 'p3', input: { ...input, cursor: second.nextCursor }, background: true });
  const third = outcomeOf(await delivered(last.usage.id), 'companySearch');
  expect([first, second, third].flatMap(companyIds)).toEqual(Array.from({ length: 23 }, (_, index) => index + 1));
  expect(third.nextCursor).toBeUndefined();
  expect(stack.search.calls).toEqual(['plan', 'search']);
  expect([...stack.ledger.movements.values()].map((movement) => movement.delivered)).toEqual([10n, 10n, 3n]);
  const replay = outcomeOf(await submit({ requestKey: 'p1', input }), 'companySearch');
  expect(replay.nextCursor).toBe(first.nextCursor);
});

test('a cursor that cannot be used is refused, costs nothing and leaves the key free', async () => {
  stack.record.addCompanies(5);
  const input = { query: 'a', limit: 2 };
  const { nextCursor: cursor = '' } = outcomeOf(await submit({ requestKey: 'first', input }), 'companySearch');
  const wrong = [
    { query: 'b', limit: 2, cursor },
    { query: 'a', limit: 3, cursor },
    { query: 'a', limit: 2, target: 2, cursor },
    { query: 'a', limit: 2, cursor: `${cursor}A` },
    { query: 'a', limit: 2, cursor: '' },
  ];
  for (const input of wrong)
    expect(await codeOf(submit({ requestKey: 'next', input }))).toBe(FailureCode.INVALID_CURSOR);
  const foreign = submit({ requestKey: 'next', input: { ...input, cursor }, caller: callerOfAccount(2n) });
  expect(await codeOf(foreign)).toBe(FailureCode.INVALID_CURSOR);
  expect(await countOperations()).toBe(1);
  expect(
    companyIds(outcomeOf(await submit({ requestKey: 'next', input: { ...input, cursor } }), 'companySearch')),
  ).toEqual([3, 4]);
  await stack.db.query(`update shortlist set expires_at = clock_timestamp()`);
  expect(await codeOf(submit({ requestKey: 'later', input: { ...input, cursor } }))).toBe(FailureCode.INVALID_CURSOR);
  expect(await submit({ requestKey: 'next', input: { ...input, cursor } })).toMatchObject({ replayed: true });
});

test('the largest page of the plan is checked for new work alone', async () => {
  stack.record.addCompanies(3);
  const request = { requestKey: 'k', input: { query: 'a', limit: 25 } };
  expect(await codeOf(submit({ ...request, input: { query: 'a', limit: 26 } }))).toBe(FailureCode.INVALID_SEARCH);
  await submit(request);
  const downgraded = callerOfAccount(1n, { pageLimit: 10 });
  expect(await submit({ ...request, caller: downgraded })).toMatchObject({ replayed: true });
  expect(await codeOf(submit({ ...request, requestKey: 'new', caller: downgraded }))).toBe(FailureCode.INVALID_SEARCH);
});

test('withdrawn evidence drops out of replays, is counted as withheld, and restoring brings it back', async () => {
  stack.record.addCompany(1n, [DemandClass.EXPLICIT_REQUEST, DemandClass.PROXY]);
  stack.record.addCompanies(3);
  stack.record.addCompany(1n, [DemandClass.PROXY, DemandClass.EXPLICIT_REQUEST]);
  const request = { requestKey: 'k', input: { query: 'a' } };
  const first = await submit(request);
  const before = outcomeOf(first, 'companySearch');
  expect(before.companies[0]).toMatchObject({ demandClass: DemandClass.EXPLICIT_REQUEST, whyItMayMatter: 'why 11' });
  stack.record.withdraw(20n);
  stack.record.withdraw(11n);
  const replay = await submit(request);
  const after = outcomeOf(replay, 'companySearch');
  expect(companyIds(after)).toEqual([1, 3]);
  expect(after.companies[0]).toMatchObject({ demandClass: DemandClass.PROXY, whyItMayMatter: 'why 10' });
  expect(after).toMatchObject({ withheldUnits: 1n, asOf: before.asOf });
  expect(after.coverage).toMatchObject({ returnedCompanies: 2, availableCompanies: 3 });
  expect(after.coverage?.limitations).toContain('evidence_withdrawn');
  expect(replay.usage).toEqual(first.usage);
  stack.record.withdraw(20n, false);
  stack.record.withdraw(11n, false);
  expect(outcomeOf(await poll(first.usage.id), 'companySearch')).toEqual(before);
});

test('what was not deliverable when the search ran is neither charged nor counted, and never comes later', async () => {
  stack.record.addCompanies(6);
  for (const id of [10n, 30n]) stack.record.withdraw(id);
  const request = { requestKey: 'k', input: { query: 'a', limit: 3 } };
  const first = await submit(request);
  const result = outcomeOf(first, 'companySearch');
  expect(companyIds(result)).toEqual([2, 4, 5]);
  expect([result.withheldUnits, first.usage.units?.deliveredUnits]).toEqual([0n, 3n]);
  stack.record.withdraw(10n, false);
  expect(companyIds(outcomeOf(await submit(request), 'companySearch'))).toEqual([2, 4, 5]);
  const next = await submit({ requestKey: 'n', input: { ...request.input, cursor: result.nextCursor } });
  expect(companyIds(outcomeOf(next, 'companySearch'))).toEqual([6]);
});

test('time alone does not take back what was paid for', async () => {
  stack.record.addCompanies(2);
  const request = { requestKey: 'k', input: { query: 'a' } };
  await submit(request);
  const observation = stack.record.observations.get(10n);
  if (observation) observation.expiresAt = new Date(Date.now() + 1);
  await expect.poll(() => Date.now() > Number(observation?.expiresAt)).toBe(true);
  expect(companyIds(outcomeOf(await submit(request), 'companySearch'))).toEqual([1, 2]);
  expect(companyIds(outcomeOf(await submit({ ...request, requestKey: 'new' }), 'companySearch'))).toEqual([2]);
});

test('a merged company is passed over on a new page and withheld on a replay', async () => {
  stack.record.addCompanies(6);
  const input = { query: 'a', limit: 2 };
  const first = outcomeOf(await submit({ requestKey: 'p1', input }), 'companySearch');
  const page2 = { requestKey: 'p2', input: { ...input, cursor: first.nextCursor } };
  const second = outcomeOf(await submit(page2), 'companySearch');
  expect(companyIds(second)).toEqual([3, 4]);
  stack.record.survivors.set(4n, 1n);
  stack.record.survivors.set(5n, 2n);
  const replay = outcomeOf(await submit(page2), 'companySearch');
  expect(companyIds(replay)).toEqual([3]);
  expect(replay.withheldUnits).toBe(1n);
  const third = await submit({ requestKey: 'p3', input: { ...input, cursor: second.nextCursor } });
  expect(companyIds(outcomeOf(third, 'companySearch'))).toEqual([6]);
  stack.record.survivors.set(4n, 4n);
  expect(companyIds(outcomeOf(await submit(page2), 'companySearch'))).toEqual([3, 4]);
});

test('nothing to search for is an empty result that settles one request unit', async () => {
  stack.record.addCompanies(3);
  const filters = { kinds: ['company_profile'], demandClasses: ['proxy'] };
  const excluded = await submit({ requestKey: 'kinds', input: { query: 'a', filters } });
  expect(stack.search.calls).toEqual([]);
  stack.search.planIsEmpty = true;
  const empty = await submit({ requestKey: 'stop words', input: { query: 'the of' } });
  expect(stack.search.calls).toEqual(['plan']);
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
  const failed = await submit(request);
  expect(failed.usage).toMatchObject({ status: Status.FAILED });
  expect(failed.usage.units).toMatchObject(NO_UNITS);
  expect(outcomeOf(failed, 'failed')).toMatchObject({ code: FailureCode.PLANNING_UNAVAILABLE });
  expect(stack.ledger.count(HoldState.VOID)).toBe(1);
  stack.search.before = () => undefined;
  const again = await submit(request);
  expect(again).toEqual({ ...failed, replayed: true, allowance: again.allowance });
  expect(await codeOf(submit({ ...request, input: { query: 'b' } }))).toBe(FailureCode.IDEMPOTENCY_CONFLICT);
});

test('a bug of a peer fails the operation without its text', async () => {
  stack.search.before = () => {
    throw new Error('select secret from table');
  };
  const failed = outcomeOf(await submit({ requestKey: 'k', input: { query: 'a' } }), 'failed');
  expect(failed.code).toBe(FailureCode.SEARCH_FAILED);
  expect(failed.message).not.toContain('secret');
});

test('too little allowance leaves no operation and the key free', async () => {
  stack.record.addCompanies(3);
  stack.ledger.deliveredLimit = 5n;
  const request = { requestKey: 'k', input: { query: 'a', limit: 6 } };
  expect(await codeOf(submit(request))).toBe(FailureCode.REQUEST_LIMIT_REACHED);
  expect(await codeOf(submit({ ...request, background: true }))).toBe(FailureCode.REQUEST_LIMIT_REACHED);
  expect(await countOperations()).toBe(0);
  expect(await submit({ ...request, input: { query: 'a', limit: 5 } })).toMatchObject({ replayed: false });
  expect(await codeOf(submit({ requestKey: 'more', input: { query: 'a', limit: 3 } }))).toBe(
    FailureCode.REQUEST_LIMIT_REACHED,
  );
});

test('ids of a filter are mapped to survivors before the search', async () => {
  stack.record.addCompanies(4);
  stack.record.survivors.set(3n, 1n);
  const filters = { companyIds: [3n, 1n, 2n], excludeCompanyIds: [3n] };
  await submit({ requestKey: 'k', input: { query: 'a', filters } });
  expect(stack.search.requests[0]?.filters).toMatchObject({ companyIds: [1n, 2n], excludeCompanyIds: [1n] });
});

test('only the gateway names a principal, others pass a bearer, and everybody needs a usable subscription', async () => {
  stack.record.addCompanies(1);
  const request = { requestKey: 'k', input: { query: 'a' } };
  for (const token of ['search-token', '']) {
    const call = stack.client(stack.first, token).submitCompanySearch({ ...request, caller });
    expect(await codeOf(call)).toBe(FailureCode.CALLER_NOT_ALLOWED);
  }
  const bearer = (value: string) => ({ identity: { case: 'bearer', value } }) as const;
  const internal = stack.client(stack.first, 'search-token');
  const first = answerOf(await internal.submitCompanySearch({ ...request, caller: bearer('key-1') }));
  expect((await submit(request)).usage.id).toBe(first.usage.id);
  expect(await codeOf(internal.submitCompanySearch({ ...request, caller: bearer('nobody') }))).toBe(
    FailureCode.INVALID_API_KEY,
  );
  expect(await codeOf(stack.client().submitCompanySearch(request))).toBe(FailureCode.INVALID_API_KEY);
  for (const subscriptionStatus of ['past_due', 'canceled', '']) {
    const unpaid = callerOfAccount(1n, { subscriptionStatus });
    const calls = [
      submit({ ...request, caller: unpaid }),
      stack.client().getOperation({ caller: unpaid, operationId: first.usage.id }),
      stack.client().submitDiagnostic({ caller: unpaid, requestKey: 'd' }),
    ];
    for (const call of calls) expect(await codeOf(call)).toBe(FailureCode.SUBSCRIPTION_REQUIRED);
  }
});

test('test credentials get scripted outcomes for exact queries', async () => {
  stack.record.addCompanies(2);
  const sandbox = callerOfAccount(9n, { testMode: true });
  const run = (query: string) => submit({ caller: sandbox, requestKey: query, input: { query }, waitMs: 2_000 });
  expect(outcomeOf(await run('sandbox:planning_unavailable'), 'failed').code).toBe(FailureCode.PLANNING_UNAVAILABLE);
  expect(outcomeOf(await run('sandbox:failed'), 'failed').code).toBe(FailureCode.SEARCH_FAILED);
  expect(await codeOf(run('sandbox:limit_reached'))).toBe(FailureCode.REQUEST_LIMIT_REACHED);
  expect(
    await submit({ caller: sandbox, requestKey: 's', input: { query: 'sandbox:slow' }, waitMs: 50 }),
  ).toMatchObject({
    outcome: { case: 'pending' },
  });
  expect(await submit({ requestKey: 'live', input: { query: 'sandbox:failed' } })).toMatchObject({
    outcome: { case: 'companySearch' },
  });
});
