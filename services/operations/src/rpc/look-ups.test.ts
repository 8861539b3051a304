import { FailureCode, fail } from '@ces/chassis/rpc/failure';
import { DemandClass } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import { HoldState } from '@ces/proto/ces/ledger/v1/ledger_pb.ts';
import { LookupStatus } from '@ces/proto/ces/lookup/v1/lookup_service_pb.ts';
import { Status } from '@ces/proto/ces/operations/v1/operations_pb.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { codeOf, outcomeOf } from '../../test-support/expect.ts';
import { answerOf, callerOfAccount, Stack } from '../../test-support/stack.ts';

let stack: Stack;
let client: ReturnType<Stack['client']>;

beforeEach(async () => {
  stack = await Stack.forTest();
  client = stack.client();
});
afterEach(async () => {
  await stack[Symbol.asyncDispose]();
});

const caller = callerOfAccount(1n);
const SINCE = '2026-01-01T00:00:00Z';

async function lookUp(requestKey: string, input: { ids?: bigint[]; domains?: string[] }) {
  return answerOf(await client.submitCompanyLookup({ caller, requestKey, input }));
}

test('a look-up is one request unit and one unit a distinct company, charged in one step', async () => {
  stack.record.addCompanies(3);
  stack.record.withdraw(30n);
  const answer = await lookUp('k', { ids: [2n, 99n, 3n, 1n, 2n] });
  expect(answer.usage).toMatchObject({
    status: Status.DELIVERED,
    units: { requestUnits: 1n, deliveredUnits: 2n },
  });
  const result = outcomeOf(answer, 'companyLookup');
  expect(result.companies.map((company) => company.id)).toEqual([2n, 1n]);
  expect(result.lookups).toMatchObject([
    { input: { case: 'id', value: 2n }, status: LookupStatus.FOUND, companyId: 2n },
    { input: { case: 'id', value: 99n }, status: LookupStatus.NOT_FOUND },
    { input: { case: 'id', value: 3n }, status: LookupStatus.UNAVAILABLE },
    { input: { case: 'id', value: 1n }, status: LookupStatus.FOUND, companyId: 1n },
  ]);
  expect(result).toMatchObject({ limitations: ['limited_source_coverage'], withheldUnits: 0n });
  expect(stack.ledger.calls).toEqual(['charge']);
});

test('the same inputs in another order are the same look-up, answered in the order accepted', async () => {
  stack.record.addCompanies(3);
  const first = await lookUp('k', { domains: ['c3.example', 'C1.example.'] });
  const again = await lookUp('k', { domains: ['c1.example', 'c3.example', 'c1.example'] });
  const { allowance, finishedAt } = again;
  expect(again).toEqual({ ...first, replayed: true, allowance, finishedAt });
  expect(outcomeOf(again, 'companyLookup').lookups.map((item) => item.input.value)).toEqual([
    'c3.example',
    'c1.example',
  ]);
  // A replay also reads the record: the request key is inserted without a prior read.
  expect(stack.record.calls).toEqual(['lookUpCompanies', 'lookUpCompanies', 'hydrate']);
});

test('a request key that is known is known while the record cannot be read', async () => {
  stack.record.addCompanies(2);
  const first = await lookUp('k', { ids: [1n] });
  stack.record.before = (method) => {
    if (method === 'lookUpCompanies') throw fail(FailureCode.SERVICE_UNAVAILABLE, 'away');
  };
  expect(await codeOf(lookUp('k', { ids: [2n] }))).toBe(FailureCode.IDEMPOTENCY_CONFLICT);
  expect(await lookUp('k', { ids: [1n] })).toMatchObject({ replayed: true, usage: { id: first.usage.id } });
  expect(await codeOf(lookUp('new', { ids: [1n] }))).toBe(FailureCode.SERVICE_UNAVAILABLE);
  const { rows } = await stack.db.query('select max(id) as last, count(*)::int as kept from operation');
  expect(rows).toEqual([{ last: first.usage.id, kept: 1 }]);
  stack.record.before = () => undefined;
  expect((await lookUp('next', { ids: [1n] })).usage.id, 'retries use no number up').toBe(first.usage.id + 1n);
});

test('outcomes are frozen: only found turns to unavailable, and back', async () => {
  stack.record.addCompanies(2);
  const first = await lookUp('k', { ids: [1n, 2n, 7n] });
  stack.record.addCompany(7n);
  stack.record.withdraw(20n);
  const { companies, lookups, withheldUnits, limitations } = outcomeOf(
    await lookUp('k', { ids: [1n, 2n, 7n] }),
    'companyLookup',
  );
  expect(companies.map((company) => company.id)).toEqual([1n]);
  expect(lookups.map((item) => item.status)).toEqual([
    LookupStatus.FOUND,
    LookupStatus.UNAVAILABLE,
    LookupStatus.NOT_FOUND,
  ]);
  expect(lookups[1]?.companyId).toBeUndefined();
  expect([withheldUnits, limitations]).toEqual([1n, ['limited_source_coverage', 'evidence_withdrawn']]);
  stack.record.withdraw(20n, false);
  const restored = answerOf(await client.getOperation({ caller, operationId: first.usage.id }));
  expect(restored.outcome).toEqual(first.outcome);
});

test('two found companies that merge are one company, both inputs found', async () => {
  stack.record.addCompanies(2);
  await lookUp('k', { ids: [1n, 2n] });
  stack.record.canonicalIds.set(1n, 2n);
  const result = outcomeOf(await lookUp('k', { ids: [1n, 2n] }), 'companyLookup');
  expect(result.companies.map((company) => company.id)).toEqual([2n]);
  expect(result.lookups.map((item) => item.companyId)).toEqual([2n, 2n]);
  expect(result.withheldUnits).toBe(1n);
});

test('an unknown company settles one request unit', async () => {
  const answer = await lookUp('k', { ids: [5n] });
  expect(answer.usage.units).toMatchObject({ requestUnits: 1n, deliveredUnits: 0n });
  expect(stack.ledger.count(HoldState.POSTED)).toBe(1);
});

test('a look-up beyond the allowance leaves no operation', async () => {
  stack.record.addCompanies(3);
  stack.ledger.deliveredLimit = 2n;
  expect(await codeOf(lookUp('k', { ids: [1n, 2n, 3n] }))).toBe(FailureCode.REQUEST_LIMIT_REACHED);
  const { rows } = await stack.db.query('select from operation');
  expect(rows).toHaveLength(0);
  expect(await lookUp('k', { ids: [1n, 2n] })).toMatchObject({ replayed: false });
});

test('an observation look-up shows what was recorded since, oldest first, page by page', async () => {
  for (let id = 1n; id <= 5n; id += 1n)
    stack.record.addCompany(id, [DemandClass.PROXY], new Date(Date.parse(SINCE) + Number(id) * 1000));
  const domains = ['c3.example', 'c1.example', 'c9.example', 'c2.example', 'c1.example'];
  const input = { domains, since: SINCE, limit: 2 };
  const first = answerOf(await client.submitObservationLookup({ caller, requestKey: 'k1', input }));
  const page = outcomeOf(first, 'observationLookup');
  expect(page.observations.map((observation) => observation.id)).toEqual([10n, 20n]);
  expect(page.domains).toMatchObject([
    { hostname: 'c3.example', found: true },
    { hostname: 'c1.example', found: true },
    { hostname: 'c9.example', found: false },
    { hostname: 'c2.example', found: true },
  ]);
  expect(first.usage.units).toMatchObject({ requestUnits: 1n, deliveredUnits: 2n });
  const next = { ...input, cursor: page.nextCursor ?? '' };
  const second = outcomeOf(
    answerOf(await client.submitObservationLookup({ caller, requestKey: 'k2', input: next })),
    'observationLookup',
  );
  expect(second.observations.map((observation) => observation.id)).toEqual([30n]);
  expect(second).toMatchObject({ asOf: page.asOf });
  expect(second.nextCursor).toBeUndefined();
  const other = client.submitObservationLookup({ caller, requestKey: 'k3', input: { ...next, limit: 3 } });
  expect(await codeOf(other)).toBe(FailureCode.INVALID_CURSOR);
  stack.record.withdraw(20n);
  const replay = outcomeOf(
    answerOf(await client.submitObservationLookup({ caller, requestKey: 'k1', input })),
    'observationLookup',
  );
  expect(replay.observations.map((observation) => observation.id)).toEqual([10n]);
  expect(replay).toMatchObject({ withheldUnits: 1n, nextCursor: page.nextCursor });
});

test('an observation search fills its pages with what is deliverable, newest first', async () => {
  for (let id = 1n; id <= 7n; id += 1n)
    stack.record.addCompany(id, [DemandClass.PROXY], new Date(Date.now() - Number(id) * 1000));
  for (const id of [10n, 30n]) stack.record.withdraw(id);
  const input = { query: 'fact', limit: 3 };
  const first = answerOf(await client.submitObservationSearch({ caller, requestKey: 'k1', input }));
  const page = outcomeOf(first, 'observationSearch');
  expect(page.observations.map((observation) => observation.id)).toEqual([20n, 40n, 50n]);
  expect(first.usage.units).toMatchObject({ requestUnits: 1n, deliveredUnits: 3n });
  const next = { ...input, cursor: page.nextCursor ?? '' };
  const queued = answerOf(
    await client.submitObservationSearch({ caller, requestKey: 'k2', input: next, background: true }),
  );
  expect(queued).toMatchObject({ outcome: { case: 'pending' } });
  await expect
    .poll(async () => answerOf(await client.getOperation({ caller, operationId: queued.usage.id })).usage.status)
    .toBe(Status.DELIVERED);
  const second = outcomeOf(
    answerOf(await client.submitObservationSearch({ caller, requestKey: 'k2', input: next })),
    'observationSearch',
  );
  expect(second.observations.map((observation) => observation.id)).toEqual([60n, 70n]);
  expect(second).toMatchObject({ asOf: page.asOf });
  expect(second.nextCursor).toBeUndefined();
});

test('an observation search of no kind finds nothing and asks no service', async () => {
  const filters = { kinds: ['job_posting'], demandClasses: ['structural'] };
  const answer = answerOf(
    await client.submitObservationSearch({ caller, requestKey: 'k', input: { query: 'a', filters } }),
  );
  expect(outcomeOf(answer, 'observationSearch')).toMatchObject({ observations: [], withheldUnits: 0n });
  expect(stack.search.calls).toEqual([]);
});

test('a diagnostic is an operation that the ledger never hears of', async () => {
  const first = answerOf(await client.submitDiagnostic({ caller, requestKey: 'k' }));
  expect(first.usage).toMatchObject({ status: Status.DELIVERED, units: { requestUnits: 0n, deliveredUnits: 0n } });
  expect(outcomeOf(first, 'diagnostic')).toMatchObject({ plan: 'builder', subscriptionStatus: 'active' });
  const again = answerOf(await client.submitDiagnostic({ caller, requestKey: 'k' }));
  expect(again).toMatchObject({ replayed: true, usage: { id: first.usage.id } });
  expect(new Set(stack.ledger.calls)).toEqual(new Set(['getAllowance']));
});

test('an input is refused before anything is done', async () => {
  expect(await codeOf(client.submitDiagnostic({ caller, requestKey: ' ' }))).toBe(FailureCode.IDEMPOTENCY_KEY_REQUIRED);
  const since = '2026-02-30T00:00:00Z';
  const lookup = client.submitObservationLookup({ caller, requestKey: 'k', input: { domains: ['a.ca'], since } });
  expect(await codeOf(lookup)).toBe(FailureCode.INVALID_SEARCH);
  expect(await codeOf(lookUp('k', {}))).toBe(FailureCode.INVALID_SEARCH);
  expect(stack.ledger.calls).toEqual([]);
});
