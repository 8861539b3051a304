import { afterAll, beforeAll, expect, test } from 'vitest';
import { facilities, type Recorded, recordEvidence } from '../support/record.ts';
import { startTestStack, type TestStack } from '../support/stack.ts';
import { type Answer, createSubscriber, type Subscriber } from '../support/subscriber.ts';

// R13: no answer shows an observation under another company than its own.
let stack: TestStack;
let recorded: Recorded;
let subscriber: Subscriber;

beforeAll(async () => {
  stack = await startTestStack();
  const { companies, observations } = facilities(6, 'foundry');
  recorded = await recordEvidence(stack, companies, observations);
  subscriber = await createSubscriber(stack);
});
afterAll(() => stack[Symbol.asyncDispose]());

const companyOf = (n: number) => recorded.companies[`c${n}`] ?? 0;
const observationOf = (n: number) => recorded.observations[`o${n}`] ?? 0;

function shown({ status, body }: Answer): [number, number[]][] {
  expect(status, JSON.stringify(body)).toBe(200);
  const companies = body.companies.map(({ id, observations }): [number, number[]] => [
    id,
    observations.map((one) => one.id).sort((a, b) => a - b),
  ]);
  return companies.sort(([a], [b]) => a - b);
}

test('after a split no page, replay or look-up shows the evidence of one company under another', async () => {
  let tx = 0n;
  for (const n of [2, 4, 6]) {
    const merge = { companyId: BigInt(companyOf(n)), intoId: BigInt(companyOf(n - 1)), reason: 'by mistake' };
    ({ tx } = await stack.record.mergeCompanies(merge));
  }
  await stack.untilIndexed(tx);
  const together = (n: number) => [companyOf(n), [observationOf(n), observationOf(n + 1)]];
  const own = (n: number) => [companyOf(n), [observationOf(n)]];
  const all = { query: 'foundry' };
  const asked = [
    () => subscriber.search(all, 'all'),
    () => subscriber.lookUp({ ids: [1, 3, 5].map(companyOf) }, 'looked up'),
  ];
  for (const ask of asked) expect(shown(await ask())).toEqual([1, 3, 5].map(together));
  const first = await subscriber.search({ ...all, limit: 1 }, 'first');
  const left = [1, 3, 5].filter((n) => companyOf(n) !== first.body.companies[0]?.id);
  for (const n of [2, 4, 6])
    ({ tx } = await stack.record.splitCompanies({ companyId: BigInt(companyOf(n)), reason: 'they are two' }));
  // The index may not have applied the split yet.
  const { body } = await subscriber.search(all);
  for (const company of body.companies)
    expect(company.observations.map(({ id }) => id)).toEqual([
      observationOf([1, 2, 3, 4, 5, 6].find((n) => companyOf(n) === company.id) ?? 0),
    ]);
  for (const ask of asked) expect(shown(await ask())).toEqual([1, 3, 5].map(own));
  const later = [];
  for (let cursor = first.body.next_cursor; cursor !== null; ) {
    const page = await subscriber.search({ ...all, limit: 1, cursor });
    later.push(...shown(page));
    cursor = page.body.next_cursor;
  }
  expect(later.sort(([a], [b]) => a - b)).toEqual(left.map(own));
  const ids = [1, 2, 3, 4, 5, 6];
  expect(shown(await subscriber.lookUp({ ids: ids.map(companyOf) }))).toEqual(ids.map(own));
  await stack.untilIndexed(tx);
  expect(shown(await subscriber.search(all))).toEqual(ids.map(own));
});
