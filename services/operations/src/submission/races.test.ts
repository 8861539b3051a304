import { FailureCode, fail, failureOf } from '@ces/chassis/rpc/failure';
import { HoldState } from '@ces/proto/ces/ledger/v1/ledger_pb.ts';
import { Status } from '@ces/proto/ces/operations/v1/operations_pb.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { answerOf, callerOfAccount, Stack } from '../../test-support/stack.ts';

const RACERS = 20;
const caller = callerOfAccount(1n);

let stack: Stack;
let clients: ReturnType<Stack['client']>[];

beforeAll(async () => {
  stack = await Stack.start();
  const second = await stack.startService();
  clients = [stack.client(), stack.client(second)];
  stack.record.addCompanies(30);
});
afterAll(async () => {
  await stack[Symbol.asyncDispose]();
});
beforeEach(() => {
  stack.showDatabaseOnFailure();
  stack.ledger.postings.clear();
  stack.ledger.before = () => undefined;
});

type Outcome = { id: bigint; replayed: boolean } | { code: FailureCode | undefined };

async function race(requestKey: string, queryOf: (racer: number) => string): Promise<Outcome[]> {
  return await Promise.all(
    Array.from({ length: RACERS }, async (_, racer): Promise<Outcome> => {
      const client = clients[racer % 2];
      if (!client) throw new Error('no client');
      const input = { query: queryOf(racer), limit: 5 };
      const background = racer % 4 === 0;
      return await client.submitCompanySearch({ caller, requestKey, input, background }).then(
        (response) => ({ id: answerOf(response).usage.id, replayed: answerOf(response).replayed }),
        (error: unknown) => ({ code: failureOf(error)?.code }),
      );
    }),
  );
}

test('many identical calls at once, over two processes, are one operation and one charge', async () => {
  for (let round = 0; round < 10; round += 1) {
    const outcomes = await race(`same ${round}`, () => 'a');
    const ids = new Set(outcomes.map((outcome) => ('id' in outcome ? outcome.id : outcome.code)));
    expect(ids.size).toBe(1);
    expect(outcomes.filter((outcome) => 'id' in outcome && !outcome.replayed)).toHaveLength(1);
  }
  await expect.poll(() => stack.ledger.count(HoldState.POSTED)).toBe(10);
  expect(stack.ledger.postings.size).toBe(10);
});

test('one of several calls with different inputs wins, the others conflict, and leave nothing', async () => {
  for (let round = 0; round < 10; round += 1) {
    const outcomes = await race(`mixed ${round}`, (racer) => (racer % 5 === 0 ? 'b' : 'a'));
    const ids = new Set(outcomes.flatMap((outcome) => ('id' in outcome ? [outcome.id] : [])));
    const codes = new Set(outcomes.flatMap((outcome) => ('code' in outcome ? [outcome.code] : [])));
    expect(ids.size).toBe(1);
    expect([...codes]).toEqual([FailureCode.IDEMPOTENCY_CONFLICT]);
  }
  await expect.poll(() => stack.ledger.count(HoldState.POSTED)).toBe(10);
  expect(stack.ledger.postings.size).toBe(10);
});

test('while the ledger refuses, every concurrent call is refused, and no hold and no operation is left', async () => {
  stack.ledger.deliveredLimit = 4n;
  const outcomes = await race('refused', () => 'a');
  stack.ledger.deliveredLimit = 1_000_000n;
  expect(outcomes.every((outcome) => 'code' in outcome && outcome.code === FailureCode.REQUEST_LIMIT_REACHED)).toBe(
    true,
  );
  const { rowCount } = await stack.db.query(`select from operation where request_key = 'refused'`);
  expect(rowCount).toBe(0);
  expect(stack.ledger.count(HoldState.HELD) + stack.ledger.count(HoldState.POSTED)).toBe(0);
});

test('a ledger that loses every other reply still charges once', async () => {
  let calls = 0;
  stack.ledger.after = (method) => {
    calls += 1;
    if (method !== 'getAllowance' && calls % 2 === 0) throw fail(FailureCode.SERVICE_UNAVAILABLE, 'lost');
  };
  const outcomes = await race('lossy', () => 'a');
  stack.ledger.after = () => undefined;
  const ids = new Set(outcomes.flatMap((outcome) => ('id' in outcome ? [outcome.id] : [])));
  expect(ids.size).toBe(1);
  const [id = 0n] = ids;
  await expect
    .poll(async () => answerOf(await stack.client().getOperation({ caller, operationId: id })).usage.status, {
      timeout: 60_000,
    })
    .toBe(Status.DELIVERED);
  expect([stack.ledger.count(HoldState.HELD), stack.ledger.count(HoldState.POSTED)]).toEqual([0, 1]);
});

test('identical look-ups at once are read by many and charged once', async () => {
  const answers = await Promise.all(
    Array.from({ length: RACERS }, async (_, racer) => {
      const input = { ids: racer % 3 === 0 ? [2n, 1n] : [1n, 2n] };
      return answerOf(
        await (clients[racer % 2] ?? stack.client()).submitCompanyLookup({ caller, requestKey: 'l', input }),
      );
    }),
  );
  expect(new Set(answers.map((answer) => answer.usage.id)).size).toBe(1);
  expect(answers.filter((answer) => !answer.replayed)).toHaveLength(1);
  expect([stack.ledger.postings.size, stack.ledger.count(HoldState.POSTED)]).toEqual([1, 1]);
});
