import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AMPLE } from '../lab/load/subscribers.ts';
import { FUZZ_STACK } from '../support/contract/fuzz.ts';
import { type Random, seeded } from '../support/random.ts';
import { facilities, type Recorded, recordEvidence } from '../support/record.ts';
import { startTestStack, type TestStack } from '../support/stack.ts';
import { type Answer, createSubscriber, type Subscriber } from '../support/subscriber.ts';
import { printedSeed, VOLUME_TIMEOUT_MS, volumeOf } from '../support/volume.ts';

// R13: returned and withheld units add up to the settled ones, whatever is withdrawn and restored.
const OPERATIONS = volumeOf(10, 500, 20);
const A_ROUND = 10;
const QUERIES = ['paper mill', 'northwind mill', 'paper mill line'];

let stack: TestStack;
let recorded: Recorded;
let subscriber: Subscriber;

beforeAll(async () => {
  stack = await startTestStack(FUZZ_STACK);
  const { companies, observations } = facilities(12, 'paper mill');
  recorded = await recordEvidence(stack, companies, observations);
  subscriber = await createSubscriber(stack, { limits: AMPLE });
});
afterAll(() => stack[Symbol.asyncDispose]());

interface Made {
  readonly key: string;
  readonly ask: (key: string) => ReturnType<Subscriber['search']>;
  readonly first: Answer['body'];
}

async function make(random: Random): Promise<Made> {
  const [query, limit] = [random.pick(QUERIES), 1 + random.below(12)];
  const ids = Object.values(recorded.companies).filter(() => random.chance(0.5));
  const looksUp = random.chance(0.3) && ids.length > 0;
  const ask: Made['ask'] = (key) =>
    looksUp ? subscriber.lookUp({ ids }, key) : subscriber.search({ query, limit }, key);
  const key = randomUUID();
  const { status, body } = await ask(key);
  expect(status, JSON.stringify(body)).toBe(200);
  return { key, ask, first: body };
}

async function expectWithheld({ key, ask, first }: Made, gone: ReadonlySet<number>): Promise<void> {
  const left = first.companies.filter(({ id }) => !gone.has(id));
  for (const { status, body } of [await ask(key), await subscriber.poll(first.usage.id)]) {
    expect(status).toBe(200);
    expect(body.companies).toEqual(left);
    expect(body.companies.length + body.withheld_units).toBe(first.usage.delivered_units);
    expect(body.usage).toEqual(first.usage);
  }
}

async function withdraw(gone: ReadonlySet<number>): Promise<() => Promise<void>> {
  const observationIds = Object.entries(recorded.companies)
    .filter(([, id]) => gone.has(id))
    .map(([key]) => BigInt(recorded.observations[key.replace('c', 'o')] ?? 0));
  for (const observationId of observationIds) await stack.record.withdrawEvidence({ observationId, reason: 'test' });
  return async () => {
    for (const observationId of observationIds) await stack.record.restoreEvidence({ observationId });
  };
}

test(
  `${OPERATIONS} operations: returned and withheld together equal the settled units, before, during and after a withdrawal`,
  async () => {
    const random = seeded(String(printedSeed()));
    for (let round = 0; round * A_ROUND < OPERATIONS; round += 1) {
      await stack.untilIndexed();
      const made: Made[] = [];
      for (let at = 0; at < A_ROUND; at += 1) made.push(await make(random));
      const gone = new Set(Object.values(recorded.companies).filter(() => random.chance(0.4)));
      const restore = await withdraw(gone);
      for (const operation of made) await expectWithheld(operation, gone);
      await restore();
      for (const operation of made) {
        expect((await operation.ask(operation.key)).body).toEqual({
          ...operation.first,
          request_allowance: expect.anything(),
        });
        await expectWithheld(operation, new Set());
      }
    }
    const delivered = (await subscriber.report()).body.usage.delivered_units;
    expect(delivered).toBeGreaterThan(0);
    expect((await stack.ledgerAdmin.verifyLedger({})).differences).toEqual([]);
  },
  VOLUME_TIMEOUT_MS,
);
