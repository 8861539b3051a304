import { createRpcClient } from '@ces/chassis/rpc/client';
import { FailureCode } from '@ces/chassis/rpc/failure';
import { LookupStatus } from '@ces/proto/ces/lookup/v1/lookup_service_pb.ts';
import { Status } from '@ces/proto/ces/operations/v1/operations_pb.ts';
import { OperationsService } from '@ces/proto/ces/operations/v1/operations_service_pb.ts';
import { facilities, type Recorded, recordEvidence } from '@ces/test/support/record.ts';
import { startTestStack, type TestStack } from '@ces/test/support/stack.ts';
import { createSubscriber } from '@ces/test/support/subscriber.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { codeOf, companyIds, outcomeOf } from '../../test-support/expect.ts';
import { answerOf } from '../../test-support/stack.ts';

let stack: TestStack;
let recorded: Recorded;
let url: string;

beforeAll(async () => {
  stack = await startTestStack();
  const { companies, observations } = facilities(12, 'steel works');
  recorded = await recordEvidence(stack, companies, observations);
  url = stack.environmentOf('gateway').CES_OPERATIONS_URL ?? '';
});
afterAll(async () => {
  await stack[Symbol.asyncDispose]();
});

const bearer = (token: string) => ({ identity: { case: 'bearer', value: token } }) as const;
const withoutToken = () => createRpcClient(OperationsService, { url, timeoutMs: 30_000 });

test('an internal caller with an ordinary credential gets the operation that the public interface made', async () => {
  const subscriber = await createSubscriber(stack);
  const { status, body } = await subscriber.search({ query: 'steel works', limit: 4 }, 'shared');
  expect(status).toBe(200);
  const client = withoutToken();
  const request = { caller: bearer(subscriber.token), requestKey: 'shared', input: { query: 'steel works', limit: 4 } };
  const answer = answerOf(await client.submitCompanySearch(request));
  expect(answer).toMatchObject({ replayed: true, usage: { id: BigInt(body.usage.id), status: Status.DELIVERED } });
  expect(companyIds(outcomeOf(answer, 'companySearch'))).toEqual(body.companies.map((one: { id: number }) => one.id));
  expect(await codeOf(client.submitCompanySearch({ ...request, input: { query: 'steel', limit: 4 } }))).toBe(
    FailureCode.IDEMPOTENCY_CONFLICT,
  );
  expect(await codeOf(client.submitCompanySearch({ ...request, caller: bearer('ces_live_wrong') }))).toBe(
    FailureCode.INVALID_API_KEY,
  );
});

test('pages of a real search cover it once, and the ledger agrees with every operation', async () => {
  const subscriber = await createSubscriber(stack);
  const client = withoutToken();
  const caller = bearer(subscriber.token);
  const found: number[] = [];
  let cursor: string | undefined;
  let requests = 0;
  do {
    const input = { query: 'steel works', limit: 5, ...(cursor && { cursor }) };
    requests += 1;
    const page = outcomeOf(
      answerOf(await client.submitCompanySearch({ caller, requestKey: `page ${requests}`, input })),
      'companySearch',
    );
    found.push(...companyIds(page));
    cursor = page.nextCursor;
  } while (cursor);
  expect(found.sort((a, b) => a - b)).toEqual(Object.values(recorded.companies).sort((a, b) => a - b));
  const { body } = await subscriber.report();
  expect(body.usage).toMatchObject({ request_units: 3, delivered_units: 12 });
  expect(body.reservations).toEqual({ request_units: 0, delivered_units: 0 });
});

test('a look-up that the allowance does not cover names nothing and costs nothing', async () => {
  const subscriber = await createSubscriber(stack, { limits: { windowDeliveredUnits: 2n } });
  const caller = bearer(subscriber.token);
  const ids = Object.values(recorded.companies).slice(0, 3).map(BigInt);
  const client = withoutToken();
  expect(await codeOf(client.submitCompanyLookup({ caller, requestKey: 'k', input: { ids } }))).toBe(
    FailureCode.REQUEST_LIMIT_REACHED,
  );
  const fits = answerOf(await client.submitCompanyLookup({ caller, requestKey: 'k', input: { ids: ids.slice(0, 2) } }));
  expect(fits).toMatchObject({ replayed: false, usage: { units: { requestUnits: 1n, deliveredUnits: 2n } } });
  expect(outcomeOf(fits, 'companyLookup').lookups.map((item) => item.status)).toEqual([
    LookupStatus.FOUND,
    LookupStatus.FOUND,
  ]);
});

test('observations recorded since an instant are read once, and the next read begins where it ended', async () => {
  const caller = bearer((await createSubscriber(stack)).token);
  const client = withoutToken();
  const domains = ['northwind1.example', 'northwind2.example', 'nobody.example'];
  const read = async (requestKey: string, since: string) =>
    outcomeOf(
      answerOf(await client.submitObservationLookup({ caller, requestKey, input: { domains, since } })),
      'observationLookup',
    );
  const first = await read('first', '2020-01-01T00:00:00Z');
  expect(first.observations).toHaveLength(2);
  expect(first.domains.map((domain) => domain.found)).toEqual([true, true, false]);
  const asOf = new Date(Number(first.asOf?.seconds) * 1000 + (first.asOf?.nanos ?? 0) / 1e6).toISOString();
  expect((await read('second', asOf)).observations).toEqual([]);
});

test('an observation search finds whole words, and its pages do not overlap', async () => {
  const caller = bearer((await createSubscriber(stack)).token);
  const client = withoutToken();
  const page = async (requestKey: string, cursor?: string) =>
    outcomeOf(
      answerOf(
        await client.submitObservationSearch({
          caller,
          requestKey,
          input: { query: 'STEEL works', limit: 10, ...(cursor && { cursor }) },
        }),
      ),
      'observationSearch',
    );
  const first = await page('first');
  const second = await page('second', first.nextCursor);
  const ids = [...first.observations, ...second.observations].map((observation) => observation.id);
  expect([ids.length, new Set(ids).size, second.nextCursor]).toEqual([12, 12, undefined]);
});
