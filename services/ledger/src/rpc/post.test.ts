import { FailureCode } from '@ces/chassis/rpc/failure';
import { Code } from '@connectrpc/connect';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ServedLedger, serveLedger } from '../../test-support/served-ledger.ts';
import {
  createSubscriber,
  identityOf,
  nextOperationId,
  type Subscriber,
  units,
} from '../../test-support/test-ledger.ts';

let served: ServedLedger;

beforeAll(async () => {
  served = await serveLedger();
});
afterAll(() => served[Symbol.asyncDispose]());

function named(operationId: bigint) {
  return { operationId, operationIdentity: identityOf(operationId) };
}

function ask(subscriber: Subscriber, deliveredUnits: number, operationId = nextOperationId()) {
  return { ...subscriber, ...named(operationId), credentialId: 0n, units: units(1, deliveredUnits) };
}

type PostRequest = Parameters<ReturnType<typeof served.service>['post']>[0];

async function post(postings: NonNullable<PostRequest['postings']>) {
  const answers = new Map<number, unknown>();
  for await (const response of served.service('operations').post({ postings }))
    for (const { index, answer } of response.answers) answers.set(index, answer);
  return answers;
}

test('each posting is answered like its own call, and its failure affects only itself', async () => {
  const [one, other] = [await createSubscriber(served.ledger.pool), await createSubscriber(served.ledger.pool)];
  const limited = await createSubscriber(served.ledger.pool, { windowDeliveredUnits: 3n });
  const reserved = ask(one, 10);
  const charged = ask(other, 4);
  const answers = await post([
    { posting: { case: 'reserve', value: reserved } },
    { posting: { case: 'charge', value: charged } },
    { posting: { case: 'charge', value: ask(limited, 5) } },
    { posting: { case: 'charge', value: { ...ask(one, 1), accountId: 0n } } },
    { posting: { case: 'charge', value: ask(one, 2) } },
    { posting: { case: 'settle', value: { ...named(nextOperationId()), units: units(1, 1) } } },
    { posting: { case: undefined } },
  ]);
  expect(answers.size).toBe(7);
  expect(answers.get(0)).toMatchObject({ case: 'reserve', value: { outcome: { case: 'admitted' } } });
  expect(answers.get(1)).toMatchObject({ case: 'charge', value: { outcome: { case: 'admitted' } } });
  expect(answers.get(2)).toMatchObject({
    case: 'charge',
    value: { outcome: { case: 'refused', value: { failure: { code: FailureCode.REQUEST_LIMIT_REACHED } } } },
  });
  const invalid = { code: Code.InvalidArgument, failure: { code: FailureCode.INVALID_REQUEST } };
  expect(answers.get(3)).toMatchObject({ case: 'refusal', value: invalid });
  expect(answers.get(4)).toMatchObject({ case: 'charge', value: { outcome: { case: 'admitted' } } });
  expect(answers.get(5)).toMatchObject({ case: 'refusal', value: { code: Code.Internal, message: 'internal error' } });
  expect(answers.get(6)).toMatchObject({ case: 'refusal', value: invalid });
  const again = await post([
    { posting: { case: 'settle', value: { ...named(reserved.operationId), units: units(1, 4) } } },
    { posting: { case: 'charge', value: charged } },
  ]);
  expect(again.get(0)).toMatchObject({ case: 'settle', value: { allowance: { windowRemaining: 58n } } });
  expect(again.get(1)).toMatchObject({ case: 'charge', value: { outcome: { case: 'admitted' } } });
  const report = async ({ subscriptionId }: Subscriber) =>
    (await served.service('gateway').getUsageReport({ subscriptionId })).period;
  expect(await report(one)).toMatchObject(units(2, 6));
  expect(await report(other)).toMatchObject(units(1, 4));
});

test('a posting whose subscription is locked delays no other posting of its call', async () => {
  const [stuck, free] = [await createSubscriber(served.ledger.pool), await createSubscriber(served.ledger.pool)];
  const holder = await served.ledger.owner.connect();
  await holder.query('begin');
  await holder.query('select from subscription where id = $1 for update', [stuck.subscriptionId]);
  const order: number[] = [];
  const postings = [stuck, free].map((subscriber) => ({
    posting: { case: 'charge', value: ask(subscriber, 1) } as const,
  }));
  for await (const { answers } of served.service('operations').post({ postings })) {
    order.push(...answers.map(({ index }) => index));
    if (order.length === 1) await holder.query('rollback');
  }
  holder.release();
  expect(order).toEqual([1, 0]);
});

test('no posting, and more than 200, are refused', async () => {
  await expect(post([])).rejects.toMatchObject({ code: Code.InvalidArgument });
  const many = Array.from({ length: 201 }, () => ({ posting: { case: undefined } as const }));
  await expect(post(many)).rejects.toMatchObject({ code: Code.InvalidArgument });
});
